import type { IncomingMessage } from 'node:http';

const BYTES_MAX = 8 * 2 ** 20;
const TIME_MAX_MS = 2_000;

/**
 * Reads and drops the rest of a refused request, for a limited time. Most clients read the answer only after they have
 * sent everything; closing the connection earlier would hide it from them.
 */
export function dropRest(request: IncomingMessage): void {
  let leftBytes = BYTES_MAX;
  const cutOff = (): void => void request.socket.destroy();
  const timer = setTimeout(cutOff, TIME_MAX_MS);
  request.once('close', () => clearTimeout(timer));
  request.on('data', (chunk: Buffer) => {
    leftBytes -= chunk.length;
    if (leftBytes < 0) cutOff();
  });
  request.resume();
}
