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
  const all = [1, 2, 3, 4, 5].map((number) => bounded.run(work(number)));
  await expect(bounded.run(work(6))).rejects.toThrow('full');
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
  await expect(bounded.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await bounded.run(async () => 'done')).toBe('done');
});

it('refuses what has waited for too long, and goes on with the others', async () => {
  const bounded = createBound({ atOnceMax: 1, waitMsMax: 20, refusal: () => new Error('too late') });
  let end = (): void => {};
  const first = bounded.run(
    () =>
      new Promise<string>((resolve) => {
        end = () => resolve('first');
      }),
  );
  const second = bounded.run(async () => 'second');
  expect(bounded.waiting()).toBe(1);
  await expect(second).rejects.toThrow('too late');
  expect(bounded.waiting()).toBe(0);
  end();
  expect(await first).toBe('first');
  expect(await bounded.run(async () => 'third')).toBe('third');
});

it('takes turns between those who wait, whoever asks more often', async () => {
  const bounded = createBound({ atOnceMax: 1, refusal: () => new Error('full') });
  const begun: string[] = [];
  const asked = ['many 1', 'many 2', 'many 3', 'few 1', 'many 4', 'few 2', 'one 1'];
  await Promise.all(
    asked.map((name) => bounded.run(async () => void begun.push(name), name.split(' ', 1)[0])),
  );
  expect(begun).toEqual(['many 1', 'many 2', 'few 1', 'one 1', 'many 3', 'few 2', 'many 4']);
  expect(bounded.waiting()).toBe(0);
});
