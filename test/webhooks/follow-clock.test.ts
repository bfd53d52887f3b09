import { afterEach, expect, it, vi } from 'vitest';
import type { Session } from '../../src/storage/database.ts';
import { followClock } from '../../src/webhooks/deliveries/follow-clock.ts';
import { createTestClock } from '../support/service/test-clock.ts';

afterEach(() => void vi.useRealTimers());

it('[outside2 16] what waits is put right after the start, and when the clock is set back long after it', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const clock = createTestClock();
  const run = vi.fn(async () => [{ count: 0 }]);
  const follow = followClock({ clock, session: { run } as Partial<Session> as Session });
  /** How often it has looked, once this has passed, by the clock too unless that was set. */
  async function looksAfter(seconds: number, byTheClock = seconds): Promise<number> {
    vi.advanceTimersByTime(seconds * 1_000);
    clock.advanceSeconds(byTheClock);
    await follow();
    return run.mock.calls.length;
  }
  expect([await looksAfter(0), await looksAfter(1), await looksAfter(5)]).toEqual([1, 1, 2]);
  expect([await looksAfter(60), await looksAfter(3_600), await looksAfter(1, -4)]).toEqual([2, 2, 2]);
  expect([await looksAfter(1, -3_000), await looksAfter(1), await looksAfter(5)]).toEqual([3, 3, 4]);
  expect(await looksAfter(60)).toBe(4);
});
