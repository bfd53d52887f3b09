import { randomFillSync } from 'node:crypto';

/** Returns this many random bytes. Use them at once: the next call may overwrite them. */
export type DrawBytes = (count: number) => Uint8Array;

/**
 * Draws from a block that is filled as a whole, since asking the system for a few bytes takes as long as for thousands.
 * Not for secrets: those to come would lie in memory already.
 */
export function createRandomPool(poolBytes = 8_192): DrawBytes {
  const pool = new Uint8Array(poolBytes);
  let nextAt = poolBytes;
  return (count) => {
    if (nextAt + count > poolBytes) {
      randomFillSync(pool);
      nextAt = 0;
    }
    nextAt += count;
    return pool.subarray(nextAt - count, nextAt);
  };
}
