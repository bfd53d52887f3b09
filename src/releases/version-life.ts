import type { ApiVersion } from '@dateline/versions';
import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../storage/database.ts';
import { buildProblem } from './build-problem.ts';
import { createDatabaseClock } from './database-clock.ts';
import { followLedger } from './follow-ledger.ts';
import { createOverdueAlarm, type OverdueRelease } from './overdue-alarm.ts';
import type { ServedVersions } from './served-versions.ts';

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
