import { repeat } from '../kernel/repeat.ts';
import type { Database } from '../storage/database.ts';
import type { ServedVersions } from './served-versions.ts';
import { readLedger } from './store.ts';

export const LEDGER_CHANNEL = 'releases';

const POLL_MS = 1_000;

export interface FollowOptions {
  database: Database;
  versions: ServedVersions;
  /** Asked at every poll, so that all nodes keep the same time. */
  adjustClock(): Promise<void>;
  onError(error: unknown): void;
  /** Called after every look, so at least once a second while the database answers. */
  onLook?(): void;
}

/**
 * Keeps a node up to date with the ledger: at once when notified, otherwise within a second. Decisions take effect
 * three seconds later or more, so every node knows them by then. Returns a function that stops it.
 */
export async function followLedger({
  database,
  versions,
  adjustClock,
  onError,
  onLook,
}: FollowOptions): Promise<() => Promise<void>> {
  async function look(): Promise<void> {
    await adjustClock();
    versions.follow(await readLedger(database));
    onLook?.();
  }

  await look();
  const stopPolling = repeat(look, { everyMs: POLL_MS, onError });
  const unlisten = await database.listen(LEDGER_CHANNEL, () => void look().catch(onError));
  return async () => {
    await stopPolling();
    await unlisten();
  };
}
