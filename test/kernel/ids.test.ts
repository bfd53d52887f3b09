import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandomPool, randomBase62, toBase62 } from '../../src/kernel/base62.ts';
import { isId, newId } from '../../src/kernel/ids.ts';

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

  it('preserves the order of numbers at a fixed width', () => {
    const number = fc.bigInt({ min: 0n, max: 2n ** 64n });
    fc.assert(
      fc.property(number, number, (one, other) => one < other === toBase62(one, 12) < toBase62(other, 12)),
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
