import { type DestinationStream, type Logger, pino } from 'pino';
import { gatheredLines } from './gathered-lines.ts';

/**
 * Structured lines on standard error, one per request and one per notable event. Standard output is for people.
 * Nothing here ever gets a header, a body or an address with its query: see request-context.ts.
 */
export function createLog(level: string, stream: DestinationStream = gatheredLines(2)): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: createTimestamps(),
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );
}

/** A busy node writes several lines in a millisecond, and they all say the same time. */
function createTimestamps(): () => string {
  let lastMs = Number.NaN;
  let text = '';
  return () => {
    const nowMs = Date.now();
    if (nowMs !== lastMs) text = `,"time":"${new Date(nowMs).toISOString()}"`;
    lastMs = nowMs;
    return text;
  };
}
