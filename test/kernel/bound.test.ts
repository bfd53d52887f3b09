import { expect, it } from 'vitest';
import { createBound } from '../../src/kernel/bound.ts';

it('does as much at once as it may, lets some wait in order, and refuses the rest at once', async () => {
  const bounded = createBound({ atOnceMax: 2, waitingMax: 3, refusal: () => new Error('full') });
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const work = (number: number) => () =>
    new Promise<number>((resolve) => {
      begun.push(number);
      ends.push(() => resolve(number));
    });
  const all = [1, 2, 3, 4, 5].map((number) => bounded(work(number)));
  await expect(bounded(work(6))).rejects.toThrow('full');
  expect(begun).toEqual([1, 2]);
  for (const number of [1, 2, 3, 4, 5]) {
    await expect.poll(() => ends.length).toBeGreaterThanOrEqual(number);
    ends[number - 1]?.();
  }
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4, 5]);
  expect(begun).toEqual([1, 2, 3, 4, 5]);
});

it('goes on after work that fails', async () => {
  const bounded = createBound({ atOnceMax: 1, waitingMax: 1, refusal: () => new Error('full') });
  await expect(bounded(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await bounded(async () => 'done')).toBe('done');
});
