import { writeSync } from 'node:fs';
import { type DestinationStream, destination, type Logger, pino } from 'pino';

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

const HELD_BYTES_MAX = 16 * 1024 * 1024;

/** A line waits no longer than this. */
const GATHERED_MS = 5;

/**
 * Writes lines to a file descriptor, those of a few milliseconds together: handing each over by itself was a tenth of what
 * the edge costs, those of each turn of the event loop still a twentieth. At the end of the process none is lost.
 */
export function gatheredLines(fd: number): DestinationStream {
  // A log that cannot be written, or is not read, must not stop the service: lines beyond the limit are dropped.
  const out = destination({ fd, sync: false, maxLength: HELD_BYTES_MAX });
  out.on('error', () => {});
  let gathered = '';

  function passOn(): void {
    const lines = gathered;
    gathered = '';
    out.write(lines);
  }

  // Later than what `out` itself does at the end, so that all it holds comes first.
  process.once('exit', () => {
    if (gathered === '') return;
    try {
      writeSync(fd, gathered);
    } catch {
      // The process ends, and there is nowhere else to write.
    }
  });
  return {
    write(line) {
      if (gathered === '') setTimeout(passOn, GATHERED_MS).unref();
      gathered += line;
    },
  };
}
