import { createRandomPool, toBase62 } from './base62.ts';

/** A string that is known to be an id of one kind of thing. */
export type Id<Kind extends string> = string & { readonly __kind: Kind };

const WIDTH = 22;

// An id is no secret: it only has to be another one.
const draw = createRandomPool();

/** A number of 128 bits, sixteen in each part, the most significant first: much quicker than a bigint. */
type Parts = number[];
const PART = 2 ** 16;
const PARTS = 8;
const TIME_PARTS = 3;

let last: { milliseconds: number; parts: Parts } = { milliseconds: -1, parts: [] };

/**
 * Makes ids that sort by the time they were made: 48 bits of milliseconds, then 80 random bits; those of one process and
 * one millisecond sort in the order in which they were made. Lists page by id, and new rows land at one end of the index.
 */
export function newId<Kind extends string>(prefix: string, now: Date): Id<Kind> {
  const milliseconds = now.getTime();
  const parts = milliseconds === last.milliseconds ? after(last.parts) : firstOf(milliseconds);
  last = { milliseconds, parts };
  return `${prefix}_${toBase62(parts, WIDTH)}` as Id<Kind>;
}

/** In the lower half of the random range, so that the upper half is left for steps. */
function firstOf(milliseconds: number): Parts {
  const parts = timeParts(milliseconds);
  const random = draw(2 * (PARTS - TIME_PARTS));
  for (let at = 0; at < random.length; at += 2) parts.push((random[at] ?? 0) * 256 + (random[at + 1] ?? 0));
  parts[TIME_PARTS] = (parts[TIME_PARTS] ?? 0) >> 1;
  return parts;
}

// Wide enough that two processes do not meet, and small beside the half of the range that is left free.
const STEP_PARTS = 3;

/** The same and a random step of at most 48 bits, but at least one. */
function after(parts: Parts): Parts {
  const next = parts.slice();
  const random = draw(2 * STEP_PARTS);
  let carry = 1;
  for (let at = PARTS - 1; at >= TIME_PARTS; at -= 1) {
    const drawnAt = 2 * (at - PARTS + STEP_PARTS);
    const step = drawnAt < 0 ? 0 : (random[drawnAt] ?? 0) * 256 + (random[drawnAt + 1] ?? 0);
    const sum = (next[at] ?? 0) + step + carry;
    next[at] = sum % PART;
    carry = sum < PART ? 0 : 1;
  }
  return next;
}

function timeParts(milliseconds: number): Parts {
  return [Math.floor(milliseconds / PART ** 2), Math.floor(milliseconds / PART) % PART, milliseconds % PART];
}

/** The smallest id that can be made at an instant: what was made before it sorts before it. */
export function firstIdAt<Kind extends string>(prefix: string, at: Date): Id<Kind> {
  const parts = [...timeParts(Math.max(0, at.getTime())), 0, 0, 0, 0, 0];
  return `${prefix}_${toBase62(parts, WIDTH)}` as Id<Kind>;
}

/** From one time, included, to another one, not included; null for no bound. */
export interface Period {
  since: Date | null;
  until: Date | null;
}

/** A stretch of ids that sort by time: from `from` on, and before `before`. */
export function idsWithin(
  prefix: string,
  { since, until }: Period,
  after: string | null,
): { from: string; before: string } {
  const end = until ? firstIdAt(prefix, until) : ID_END;
  return { from: since ? firstIdAt(prefix, since) : '', before: after !== null && after < end ? after : end };
}

/** Sorts after every id. */
export const ID_END = '~';

/** True if a string is formed like an id with this prefix; otherwise no look-up is needed. */
export function isId<Kind extends string>(prefix: string, value: string): value is Id<Kind> {
  return (
    value.length === prefix.length + 1 + WIDTH &&
    value.startsWith(`${prefix}_`) &&
    /^[0-9A-Za-z]+$/.test(value.slice(prefix.length + 1))
  );
}
