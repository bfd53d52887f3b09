import type { IncomingMessage } from 'node:http';

const BYTES_MAX = 8 * 2 ** 20;
const TIME_MAX_MS = 2_000;

/**
 * Reads and drops what a client goes on sending after it was refused. Most clients read the answer only when they
 * have sent everything; closing the connection earlier would hide it from them. There is a time limit.
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
