import { setTimeout as delay } from 'node:timers/promises';
import { StorageUnavailableError } from '../../storage/storage-error.ts';

const RETRY_MS = 1_000;

/**
 * Stores the result of an attempt, and retries for as long as the database is unreachable: the receiver has the event
 * already, and losing that would send it again. Gives up when the signal aborts.
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
