import { writeSync } from 'node:fs';
import { type DestinationStream, destination } from 'pino';

const HELD_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Writes lines to a file descriptor, those of one turn of the event loop together: handing each over by itself was a tenth
 * of what the edge costs. None waits for a later turn, and at the end of the process none is lost.
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
      if (gathered === '') setImmediate(passOn);
      gathered += line;
    },
  };
}
