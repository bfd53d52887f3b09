import type { Clock } from '../../../src/kernel/clock.ts';
import { homeTime } from './build-versions.ts';

export interface TestClock extends Clock {
  set(now: Date | string): void;
  advanceSeconds(seconds: number): void;
}

/** A clock that stands still until it is moved. */
export function createTestClock(start = homeTime): TestClock {
  let now = new Date(start);
  return {
    now: () => new Date(now),
    nowMs: () => now.getTime(),
    set(to) {
      now = new Date(to);
    },
    advanceSeconds(seconds) {
      now = new Date(now.getTime() + seconds * 1000);
    },
  };
}
