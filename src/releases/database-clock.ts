import type { Clock } from '../kernel/clock.ts';
import type { Session } from '../storage/database.ts';
import { readDatabaseTime } from './store.ts';

/** The time of the database, which is the same for all nodes. */
export interface DatabaseClock extends Clock {
  /** Asks the database anew; drift between two calls is that of the machine's steady clock, which never steps. */
  adjust(): Promise<void>;
}

export async function createDatabaseClock(session: Session): Promise<DatabaseClock> {
  let offsetMs: number | null = null;
  async function adjust(): Promise<void> {
    const askedAtMs = performance.now();
    const databaseMs = (await readDatabaseTime(session)).getTime();
    // The answer was true at some time between query and result. The known offset is corrected only as far as the answer
    // contradicts it: one that took seconds, from a database that stalled, proves little.
    const [least, most] = [databaseMs - performance.now(), databaseMs - askedAtMs];
    offsetMs = Math.min(most, Math.max(least, offsetMs ?? (least + most) / 2));
  }
  await adjust();
  // In whole milliseconds, as a `Date` has them.
  const nowMs = (): number => Math.trunc(performance.now() + (offsetMs ?? 0));
  return { now: () => new Date(nowMs()), nowMs, adjust };
}
