import { setTimeout as delay } from 'node:timers/promises';
import { StorageUnavailableError } from '../../storage/storage-error.ts';

const RETRY_MS = 1_000;

/**
 * Stores what came of an attempt, and tries again for as long as the database is away: the receiver has the event already,
 * and to forget that would send it again. Gives up when the signal says so.
 */
export async function untilStored<Value>(store: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
  for (;;) {
    try {
      return await store();
    } catch (error) {
      if (!(error instanceof StorageUnavailableError) || signal.aborted) throw error;
      await delay(RETRY_MS, undefined, { ref: false });
    }
  }
}
