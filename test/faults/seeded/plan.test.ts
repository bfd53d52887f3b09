import { describe, expect, it } from 'vitest';
import { allKinds } from '../kinds/all-kinds.ts';
import { drawPlan, SHARE_MAX } from './plan.ts';

const kinds = Array.from({ length: 60 }, (_, index) => ({
  name: `kind ${index}`,
  weight: index < 20 ? 1 : 0.3,
}));
const countOf = (plan: readonly { kind: string }[], name: string): number =>
  plan.filter(({ kind }) => kind === name).length;

describe('a plan', () => {
  it('is the same for the same seed, and another one for another', () => {
    const size = { faults: 200, parts: 4 };
    expect(drawPlan('one', kinds, size)).toEqual(drawPlan('one', kinds, size));
    expect(drawPlan('one', kinds, size)).not.toEqual(drawPlan('two', kinds, size));
  });

  it('has as many faults as asked for, of every kind, numbered through all parts, and no kind too often', () => {
    const plan = drawPlan('any', kinds, { faults: 1_000, parts: 5 });
    expect(plan.map(({ number }) => number)).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 1));
    for (const { name } of kinds) {
      expect(countOf(plan, name)).toBeGreaterThan(0);
      expect(countOf(plan, name)).toBeLessThanOrEqual(1_000 * SHARE_MAX);
    }
    for (const part of [1, 2, 3, 4, 5]) expect(plan.filter((one) => one.part === part)).toHaveLength(200);
  });

  it('spreads each kind over the parts', () => {
    const plan = drawPlan('any', kinds, { faults: 1_000, parts: 5 });
    const parts = new Set(plan.filter(({ kind }) => kind === 'kind 0').map(({ part }) => part));
    expect(parts.size).toBe(5);
  });

  it('is refused where there are too few kinds', () => {
    expect(() => drawPlan('any', kinds.slice(0, 10), { faults: 1_000, parts: 5 })).toThrow('too few');
  });

  it('of 1,000 has 50 kinds at least and 20 promotions, also without standbys that are read from', () => {
    const able = allKinds.filter(({ needs }) => needs === undefined);
    const plan = drawPlan('any', able, { faults: 1_000, parts: 6 });
    expect(new Set(plan.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(50);
    expect(plan.filter(({ kind }) => kind.startsWith('a promotion')).length).toBeGreaterThanOrEqual(20);
  });
});

describe('the kinds of faults', () => {
  it('have names of their own', () => {
    expect(new Set(allKinds.map(({ name }) => name)).size).toBe(allKinds.length);
  });
});
