import { describe, expect, it, vi } from 'vitest';
import { createDatabaseClock } from '../../src/releases/version-life.ts';
import type { Session } from '../../src/storage/database.ts';

describe('the time of the database', () => {
  /** A database whose clock runs like ours, ahead by this much, and that takes some time to begin and to answer. */
  function database(aheadMs: number) {
    const steady = { ms: 1_000_000 };
    vi.spyOn(performance, 'now').mockImplementation(() => steady.ms);
    const takes = { beforeMs: 0, afterMs: 0 };
    const session = {
      async run() {
        steady.ms += takes.beforeMs;
        const now = new Date(steady.ms + aheadMs);
        steady.ms += takes.afterMs;
        return [{ now }];
      },
    } as unknown as Session;
    return { steady, takes, session, trueMs: () => steady.ms + aheadMs };
  }

  it('is known to within one round trip', async () => {
    const { session, takes, trueMs } = database(5_000);
    takes.afterMs = 8;
    const clock = await createDatabaseClock(session);
    expect(Math.abs(clock.now().getTime() - trueMs())).toBeLessThanOrEqual(4);
  });

  it.each([
    { beforeMs: 10_000, afterMs: 0 },
    { beforeMs: 0, afterMs: 10_000 },
  ])('is not moved by a database that stalls (%o)', async (stall) => {
    const { session, takes, trueMs } = database(5_000);
    const clock = await createDatabaseClock(session);
    Object.assign(takes, stall);
    await clock.adjust();
    expect(clock.now().getTime()).toBe(trueMs());
  });

  it('is followed after a change, by the first answer that proves it', async () => {
    const { session, steady } = database(5_000);
    const clock = await createDatabaseClock(session);
    const changed = database(65_000);
    changed.steady.ms = steady.ms;
    session.run = changed.session.run;
    await clock.adjust();
    expect(clock.now().getTime()).toBe(changed.trueMs());
  });
});
