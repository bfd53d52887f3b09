import { expect, it } from 'vitest';
import { atMost } from '../../src/kernel/wait.ts';

/** Timers that keep the process running. */
const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

it('work is waited for until its time is over', async () => {
  await atMost(1, new Promise(() => {}));
  await expect(atMost(60_000, Promise.reject(new Error('failed')))).rejects.toThrow('failed');
});

it('a process that has nothing else to do does not wait for the time to be over', async () => {
  const before = timers();
  await atMost(60_000, Promise.resolve());
  expect(timers()).toBe(before);
});
