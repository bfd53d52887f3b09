import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlainJson, writtenJson } from '../../src/http/api/forwarding/json-in.ts';

/** Negative zero is written as zero, and no contract tells the two apart. */
function unsigned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unsigned);
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, unsigned(member)]));
}

describe('what a change has made, as JSON', () => {
  it('is checked as it will be read, whatever it is made of', () => {
    const anything = fc.anything({
      withDate: true,
      withMap: true,
      withSparseArray: true,
      withTypedArray: true,
    });
    fc.assert(
      fc.property(anything, (made) => {
        if (JSON.stringify(made) === undefined) return void expect(() => writtenJson(made)).toThrow();
        const { body, json } = writtenJson(made);
        expect(isDeepStrictEqual(unsigned(json), JSON.parse(body))).toBe(true);
        if (isPlainJson(made)) expect(json).toBe(made);
      }),
      { seed: 10, numRuns: 2_000 },
    );
  });

  it.each([
    [{ at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
    [{ a: undefined, b: [undefined, Number.NaN, new Array(1)] }, { b: [null, null, [null]] }],
    [{ toJSON: () => ({ made: 'by itself' }) }, { made: 'by itself' }],
    [new Map([['a', 1]]), {}],
    [{ n: Number.NaN }, { n: null }],
    [[Number.NEGATIVE_INFINITY], [null]],
    [new Array(1), [null]],
    [{ a: undefined }, {}],
  ])('is what is written of %j', (made, read) => {
    expect(isPlainJson(made)).toBe(false);
    expect(writtenJson(made).json).toEqual(read);
  });

  it.each([[{ a: [1, 'b', null, true, {}, []] }], ['text'], [0], [null]])(
    'is itself where that is JSON: %j',
    (made) => {
      expect(writtenJson(made)).toEqual({ body: JSON.stringify(made), json: made });
      expect(isPlainJson(made)).toBe(true);
    },
  );
});
