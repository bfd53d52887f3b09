import { createRandomPool, toBase62 } from './base62.ts';

/** A string that is known to be an id of one kind of thing. */
export type Id<Kind extends string> = string & { readonly __kind: Kind };

const WIDTH = 22;

// An id is no secret: it only has to be another one.
const draw = createRandomPool();

let last = { milliseconds: -1, value: 0n };

/**
 * Makes ids that sort by the time they were made: 48 bits of milliseconds, then 80 random bits; those of one process and
 * one millisecond sort in the order in which they were made. Lists page by id, and new rows land at one end of the index.
 */
export function newId<Kind extends string>(prefix: string, now: Date): Id<Kind> {
  const milliseconds = now.getTime();
  const random = BigInt(`0x${Buffer.from(draw(10)).toString('hex')}`);
  const value =
    milliseconds === last.milliseconds
      ? last.value + 1n + (random & STEP_MASK)
      : (BigInt(milliseconds) << 80n) | (random >> 1n);
  last = { milliseconds, value };
  return `${prefix}_${toBase62(value, WIDTH)}` as Id<Kind>;
}

// Wide enough that two processes do not meet, and small beside the half of the range that is left free for steps.
const STEP_MASK = (1n << 48n) - 1n;

/** The smallest id that can be made at an instant: what was made before it sorts before it. */
export function firstIdAt<Kind extends string>(prefix: string, at: Date): Id<Kind> {
  const milliseconds = BigInt(Math.max(0, at.getTime()));
  return `${prefix}_${toBase62(milliseconds << 80n, WIDTH)}` as Id<Kind>;
}

/** Whether a string can be an id with this prefix; what cannot be one needs no look-up. */
export function isId<Kind extends string>(prefix: string, value: string): value is Id<Kind> {
  return (
    value.length === prefix.length + 1 + WIDTH &&
    value.startsWith(`${prefix}_`) &&
    /^[0-9A-Za-z]+$/.test(value.slice(prefix.length + 1))
  );
}
