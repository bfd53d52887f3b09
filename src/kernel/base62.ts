import { randomBytes, randomFillSync } from 'node:crypto';

// In ASCII order, so that fixed-width base62 sorts like the number it stands for.
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Writes a number in base62, padded on the left to `width` characters. */
export function toBase62(value: bigint, width: number): string {
  let rest = value;
  let text = '';
  // Eight digits at a time: as many as an ordinary number holds, which is much quicker to divide.
  while (text.length < width) {
    text = eightDigits(Number(rest % EIGHT_DIGITS)) + text;
    rest /= EIGHT_DIGITS;
  }
  return text.slice(text.length - width);
}

const EIGHT_DIGITS = 62n ** 8n;

/** The same of a number that has no more digits than this. */
export function eightDigits(value: number): string {
  let rest = value;
  let text = '';
  for (let position = 0; position < 8; position += 1) {
    text = ALPHABET.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** `length` characters, each drawn evenly from the alphabet: 5.95 random bits a character. */
export function randomBase62(length: number, draw: DrawBytes = randomBytes): string {
  const text = Buffer.allocUnsafe(length);
  let written = 0;
  while (written < length) {
    const bytes = draw(length * 2);
    // At every request, so it is a plain loop over codes.
    for (let at = 0; at < bytes.length && written < length; at += 1) {
      const byte = bytes[at] ?? 255;
      // 248 is the largest multiple of 62 in a byte; what lies above would favour the first characters.
      if (byte >= 248) continue;
      text[written] = ALPHABET.charCodeAt(byte % 62);
      written += 1;
    }
  }
  return text.toString('latin1');
}

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
