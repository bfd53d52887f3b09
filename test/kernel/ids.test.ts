import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandomPool, randomBase62, toBase62 } from '../../src/kernel/base62.ts';
import { firstIdAt, isId, newId } from '../../src/kernel/ids.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const fromBase62 = (text: string): bigint =>
  [...text].reduce((value, digit) => value * 62n + BigInt(DIGITS.indexOf(digit)), 0n);

describe('ids', () => {
  it('sort by their time of creation', () => {
    const instant = fc.date({ min: new Date(0), max: new Date('2999-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(instant, instant, (one, other) => {
        fc.pre(one.getTime() < other.getTime());
        return newId('org', one) < newId('org', other);
      }),
    );
  });

  it('of one process and one millisecond sort in order of creation', () => {
    const now = new Date();
    const made = Array.from({ length: 1_000 }, () => newId('org', now));
    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(1_000);
  });

  it('of one millisecond are a step apart whose 48 bits are all drawn', () => {
    const now = new Date();
    const numbers = Array.from({ length: 200 }, () => fromBase62(newId('org', now).slice('org_'.length)));
    const steps = numbers.slice(1).map((number, index) => number - (numbers[index] ?? 0n) - 1n);
    const bytes = steps.map((step) => step.toString(16).padStart(12, '0').match(/../g) ?? []);
    expect(Math.max(...bytes.map(({ length }) => length))).toBe(6);
    for (let one = 0; one < 6; one += 1)
      for (let other = 0; other < one; other += 1)
        expect(
          bytes.some((drawn) => drawn[one] !== drawn[other]),
          `${other} and ${one}`,
        ).toBe(true);
  });

  it('keep the scheme: milliseconds, then eighty random bits of which the first is left for steps', () => {
    const at = new Date('2026-11-17T03:55:09.123Z');
    const first = firstIdAt('org', at);
    // As ids were written when they were numbers of one piece.
    expect(first).toBe('org_034ywrYBdsqTNFGknzyM5Y');
    const ids = Array.from({ length: 200 }, (_, later) => newId('org', new Date(at.getTime() + 2 * later)));
    const half = firstIdAt('org', new Date(at.getTime() + 1));
    expect(ids.every((id) => id > first)).toBe(true);
    expect(ids[0] && ids[0] < half).toBe(true);
  });

  it('are recognised by prefix, length and alphabet', () => {
    const id = newId('org', new Date());
    expect(id).toMatch(/^org_[0-9A-Za-z]{22}$/);
    expect(isId('org', id)).toBe(true);
    expect(isId('usr', id)).toBe(false);
    expect(isId('org', `${id}0`)).toBe(false);
    expect(isId('org', `${id.slice(0, -1)}-`)).toBe(false);
  });
});

describe('base62', () => {
  const drawFromPool = createRandomPool(100);

  it('never returns the same value twice from a pool', () => {
    const drawn = Array.from({ length: 10_000 }, () => randomBase62(22, drawFromPool));
    expect(new Set(drawn).size).toBe(10_000);
  });

  /** A number from its parts of sixteen bits, and what its base62 digits stand for. */
  const fromParts = (parts: readonly number[]): bigint =>
    parts.reduce((value, part) => value * 65_536n + BigInt(part), 0n);

  it('stands for the number it was written from, at a fixed width', () => {
    const part = fc.integer({ min: 0, max: 65_535 });
    fc.assert(
      fc.property(fc.array(part, { minLength: 8, maxLength: 8 }), (parts) => {
        const text = toBase62(parts, 22);
        expect(text).toHaveLength(22);
        expect(fromBase62(text)).toBe(fromParts(parts));
      }),
    );
  });

  it.each([
    ['the system', () => randomBase62(62_000)],
    ['a pool', () => Array.from({ length: 1_000 }, () => randomBase62(62, drawFromPool)).join('')],
  ])('draws every character about equally often from %s', (_source, draw) => {
    const text = draw();
    expect(text).toHaveLength(62_000);
    const counts = new Map<string, number>();
    for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // 1,000 expected each, standard deviation about 32: a failure by chance would be seven of them away.
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(225);
  });
});
