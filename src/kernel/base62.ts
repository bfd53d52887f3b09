import { randomBytes, randomFillSync } from 'node:crypto';

// In ASCII order, so that fixed-width base62 sorts like the number it stands for.
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Writes a whole number in base62, padded on the left to `width` characters. It is given in parts of sixteen bits, the most
 * significant first.
 */
export function toBase62(parts: readonly number[], width: number): string {
  const rest = parts.slice();
  let text = '';
  while (text.length < width) {
    const four = divide(rest);
    const two = Math.floor(four / TWO_DIGITS);
    text = `${PAIRS[two]}${PAIRS[four - two * TWO_DIGITS]}${text}`;
  }
  return text.slice(text.length - width);
}

const TWO_DIGITS = 62 ** 2;
const FOUR_DIGITS = 62 ** 4;
const PAIRS = Array.from({ length: TWO_DIGITS }, (_, value) => digitsOf(value, 2));

/** Divides the number by four digits' worth, in place; returns the remainder. Every step is an ordinary number. */
function divide(parts: number[]): number {
  let left = 0;
  for (let index = 0; index < parts.length; index += 1) {
    const value = left * 2 ** 16 + (parts[index] ?? 0);
    const quotient = Math.floor(value / FOUR_DIGITS);
    parts[index] = quotient;
    left = value - quotient * FOUR_DIGITS;
  }
  return left;
}

/** Writes a number of at most eight digits. */
export function eightDigits(value: number): string {
  return digitsOf(value, 8);
}

function digitsOf(value: number, count: number): string {
  let rest = value;
  let text = '';
  for (let position = 0; position < count; position += 1) {
    text = ALPHABET.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** `length` characters, each drawn evenly from the alphabet: 5.95 random bits a character. */
export function randomBase62(length: number, draw: DrawBytes = randomBytes): string {
  let text = '';
  // Two characters from two bytes. At every request, so it is a plain loop.
  while (text.length < length) {
    const bytes = draw(length + SPARE_BYTES);
    for (let at = 0; at + 1 < bytes.length && text.length < length; at += 2) {
      const value = (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
      // What lies above the largest multiple would favour the first characters.
      if (value < PAIRS_END) text += PAIRS[value % TWO_DIGITS];
    }
  }
  return text.length === length ? text : text.slice(0, length);
}

/** Few pairs of bytes are passed over. */
const SPARE_BYTES = 4;
const PAIRS_END = 2 ** 16 - (2 ** 16 % TWO_DIGITS);

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
