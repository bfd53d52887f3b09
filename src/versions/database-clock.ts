import type { Clock } from '../kernel/clock.ts';
import type { Session } from '../storage/database.ts';
import { readDatabaseTime } from './store.ts';

/** The time of the database, which is the same for all nodes whatever their own clocks say. */
export interface DatabaseClock extends Clock {
  /** Asks the database anew; drift between two calls is that of the machine's steady clock, which never steps. */
  adjust(): Promise<void>;
}

export async function createDatabaseClock(session: Session): Promise<DatabaseClock> {
  let offsetMs = 0;
  async function adjust(): Promise<void> {
    const askedAtMs = performance.now();
    const databaseTime = await readDatabaseTime(session);
    // The answer was true about half-way between asking and hearing it.
    offsetMs = databaseTime.getTime() - (askedAtMs + performance.now()) / 2;
  }
  await adjust();
  return { now: () => new Date(performance.now() + offsetMs), adjust };
}
