import { type DestinationStream, destination, type Logger, pino } from 'pino';

/**
 * Structured lines on standard error, one per request and one per notable event. Standard output is for people.
 * Nothing here ever gets a header, a body or an address with its query: see request-context.ts.
 */
export function createLog(
  level: string,
  stream: DestinationStream = destination({ fd: 2, sync: false }),
): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );
}
