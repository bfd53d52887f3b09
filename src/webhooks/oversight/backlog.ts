import type { Context, Environment } from '../../environments/environment.ts';
import { type Backlog, measureBacklog, type StoredBacklog, selectBacklog, storeBacklog } from './store.ts';

/** Measured anew after so long. */
const FRESH_MS = 5_000;
/** While another node measures, its last result counts for so long. */
const USABLE_MS = 30_000;

/** The events that are due now. */
export function readBacklog({ session, clock }: Context): Promise<Backlog> {
  return measureBacklog(session, clock.now());
}

/** The same for many who ask often, such as scrapes of every node: one of them measures every five seconds, for all. */
export async function sharedBacklog(environment: Environment): Promise<Backlog> {
  const now = environment.clock.now();
  const last = await selectBacklog(environment.session);
  if (isWithin(FRESH_MS, last, now)) return last;
  return environment.transaction((context) => measure(context, last, now), { endsNoAccess: true });
}

async function measure(context: Context, last: StoredBacklog | undefined, now: Date): Promise<StoredBacklog> {
  const isOurs = await context.session.tryLock('webhook backlog');
  if (!isOurs && isWithin(USABLE_MS, last, now)) return last;
  const measured = { ...(await measureBacklog(context.session, now)), measuredAt: now };
  if (isOurs) await storeBacklog(context.session, measured);
  return measured;
}

/** False also for one that lies ahead: the clock was set back since. */
function isWithin(ms: number, stored: StoredBacklog | undefined, now: Date): stored is StoredBacklog {
  if (stored === undefined) return false;
  const ageMs = now.getTime() - stored.measuredAt.getTime();
  return ageMs >= 0 && ageMs < ms;
}
