import { describe, expect, it } from 'vitest';
import { nextAttemptAt } from '../../../src/webhooks/sending/retry-schedule.ts';

const now = new Date('2026-11-15T12:00:00Z');
const HOUR = 3_600;

/** How many seconds after this attempt the next one starts. */
function waitSeconds(attemptCount: number, retryAfter: string | null = null, random = 0): number | null {
  const at = nextAttemptAt({ attemptCount, now, retryAfter, random: () => random });
  return at && (at.getTime() - now.getTime()) / 1000;
}

describe('the next attempt', () => {
  it('is the first at once, then after longer and longer delays, nine times in all', () => {
    const waits = [0, 5, 60, 300, 1_800, 2 * HOUR, 5 * HOUR, 10 * HOUR, 24 * HOUR, null, null];
    expect(waits.map((_, attemptCount) => waitSeconds(attemptCount))).toEqual(waits);
  });

  it('starts up to a fifth later than that, never earlier', () => {
    expect([0, 0.5, 1].map((random) => waitSeconds(1, null, random))).toEqual([5, 5.5, 6]);
    expect([0, 0.5, 1].map((random) => waitSeconds(8, null, random))).toEqual(
      [24, 26.4, 28.8].map((hours) => hours * HOUR),
    );
    expect(waitSeconds(0, null, 1)).toBe(0);
  });

  it.each([
    ['seconds', '120', 120],
    ['seconds with spaces', ' 120 ', 120],
    ['no seconds', '0', 5],
    ['fewer seconds than the schedule', '3', 5],
    ['a date', 'Sun, 15 Nov 2026 12:10:00 GMT', 600],
    ['a date as it was written once', 'Sunday, 15-Nov-26 12:10:00 GMT', 600],
    ['a date of asctime', 'Sun Nov 15 12:10:00 2026', 600],
    ['a date of asctime with one digit', 'Wed Dec  2 12:00:00 2026', 24 * HOUR],
    ['a date that has passed', 'Sun, 15 Nov 2026 11:00:00 GMT', 5],
    ['negative seconds', '-120', 5],
    ['ten years', '315360000', 24 * HOUR],
    ['ten years as a date', 'Sun, 15 Nov 2036 12:00:00 GMT', 24 * HOUR],
    ['more than numbers can hold', '9'.repeat(400), 24 * HOUR],
    ['a fraction', '120.5', 5],
    ['another number', '0x78', 5],
    ['an exponent', '1e9', 5],
    ['a list', '120, 240', 5],
    ['another form of date', '2026-11-15T12:10:00Z', 5],
    ['a month that does not exist', 'Sun, 15 Foo 2026 12:10:00 GMT', 5],
    ['words', 'soon', 5],
    ['nothing', '', 5],
  ])('[webhooks 33] does not start before Retry-After, within limits: %s', (_what, retryAfter, seconds) => {
    expect(waitSeconds(1, retryAfter)).toBe(seconds);
  });

  it('[webhooks 33] starts no earlier than the schedule says, and no more often, for Retry-After', () => {
    expect(waitSeconds(5, '60')).toBe(2 * HOUR);
    expect(waitSeconds(9, '60')).toBeNull();
  });
});
