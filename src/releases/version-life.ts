import { type ApiVersion, releaseInstant } from '@dateline/versions';
import type { Clock } from '../kernel/clock.ts';
import type { Database, Session } from '../storage/database.ts';
import { buildProblem } from './build-problem.ts';
import { followLedger } from './follow-ledger.ts';
import type { ServedVersions } from './served-versions.ts';
import { readDatabaseTime } from './store.ts';

/** One environment's versions, and the clock they follow: the database's as soon as there is one. */
export interface VersionLife {
  readonly clock: Clock;
  readonly versions: ServedVersions;
  /** Why this build must not serve what is decided by now; null if it may. */
  problem(): string | null;
  /** Starts to follow the ledger, by the database's time. Returns a function that stops it. */
  begin(database: Database, events: LifeEvents): Promise<() => Promise<void>>;
}

export interface LifeEvents {
  onError(error: unknown): void;
  onOverdue(release: OverdueRelease): void;
}

export interface LifeParts {
  /** A clock to follow instead of the database's. */
  clock: Clock | null;
  systemClock: Clock;
  createVersions(clock: Clock): ServedVersions;
  hashes: ReadonlyMap<ApiVersion, string>;
  /** The same of the operator's own API, where there is one. */
  folderHashes: ReadonlyMap<ApiVersion, string> | null;
}

export function createVersionLife(parts: LifeParts): VersionLife {
  const { clock, systemClock, createVersions, hashes, folderHashes } = parts;
  let followed = clock ?? systemClock;
  const own: Clock = { now: () => followed.now(), nowMs: () => followed.nowMs() };
  const versions = createVersions(own);
  return {
    clock: own,
    versions,
    problem: () =>
      buildProblem(
        { lifecycle: versions.lifecycle(), ledger: versions.ledger(), now: own.now() },
        hashes,
        folderHashes,
      ),
    async begin(database, { onError, onOverdue }) {
      const databaseClock = clock ? null : await createDatabaseClock(database);
      if (databaseClock) {
        followed = databaseClock;
        versions.forgetTime();
      }
      return followLedger({
        database,
        versions,
        adjustClock: async () => databaseClock?.adjust(),
        onError,
        onLook: createOverdueAlarm(versions, own, onOverdue),
      });
    },
  };
}

export interface OverdueRelease {
  version: ApiVersion;
  dueAt: Date;
}

const REPEAT_AFTER_MS = 24 * 60 * 60 * 1000;

/** Reports an overdue release at once, and then once a day. Meant to be called often. */
export function createOverdueAlarm(
  versions: Pick<ServedVersions, 'lifecycle'>,
  clock: Clock,
  sound: (release: OverdueRelease) => void,
): () => void {
  let soundedAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    const { overdue, next, nextReleaseAt } = versions.lifecycle();
    const nowMs = clock.now().getTime();
    if (!overdue) {
      soundedAtMs = Number.NEGATIVE_INFINITY;
    } else if (nowMs - soundedAtMs >= REPEAT_AFTER_MS) {
      soundedAtMs = nowMs;
      sound({ version: next, dueAt: nextReleaseAt ?? releaseInstant(next) });
    }
  };
}

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
