import { setImmediate } from 'node:timers/promises';

let joined: Promise<void> | null = null;

/**
 * Resolves when all that had arrived on any socket has been read, such as the end of a connection that was closed just now: input
 * is read once in every turn of the event loop, and this ends in the next turn. All who ask in the same turn wait together.
 */
export function nextInput(): Promise<void> {
  joined ??= pass();
  return joined;
}

async function pass(): Promise<void> {
  await setImmediate();
  // Who asks from here on has to wait for the turn after the next.
  joined = null;
  await setImmediate();
}
