import { type Chore, daysAgo, tableChore } from '../../environments/chore.ts';
import type { Environment } from '../../environments/environment.ts';
import { newId } from '../../kernel/ids.ts';
import { repeat } from '../../kernel/repeat.ts';
import {
  deleteFailedRequestsBefore,
  deleteOldFailedRequests,
  insertFailedRequests,
  selectOldestKept,
} from './store.ts';
import { type FailedRequest, failedRequestIdPrefix } from './types.ts';

export type NewFailure = Omit<FailedRequest, 'id' | 'at'>;

/** The failed requests of this node that are not stored yet. */
export interface FailureLog {
  note(failure: NewFailure, at: Date): void;
  take(): { failed: FailedRequest[]; dropped: number };
}

/** So many between two times of storing; who sends more wrong requests than that shows in the metrics. */
const HELD_MAX = 500;

export function createFailureLog(heldMax = HELD_MAX): FailureLog {
  let failed: FailedRequest[] = [];
  let dropped = 0;
  return {
    note(failure, at) {
      if (failed.length < heldMax) failed.push({ id: newId(failedRequestIdPrefix, at), at, ...failure });
      else dropped += 1;
    },
    take() {
      const taken = { failed, dropped };
      [failed, dropped] = [[], 0];
      return taken;
    },
  };
}

export interface KeepFailuresOptions {
  environment: Environment;
  log: FailureLog;
  onError(error: unknown): void;
  /** Finds the callers of requests that are listed with them; called before storing. */
  findCallers?(): Promise<void>;
  /** For tests that decide when to store. */
  everyMs?: number;
}

export interface FailureKeeper {
  /** Stores what has failed so far. Never rejects. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

const EVERY_MS = 2_000;

/** Stores failed requests every few seconds, in one statement. They are for looking at: what cannot be stored is dropped. */
export function keepFailures({
  environment,
  log,
  onError,
  findCallers,
  everyMs = EVERY_MS,
}: KeepFailuresOptions): FailureKeeper {
  async function flush(): Promise<void> {
    await findCallers?.();
    const { failed } = log.take();
    if (failed.length === 0) return;
    await insertFailedRequests(environment.session, failed).catch(onError);
  }

  const stopRepeating = repeat(flush, { everyMs, onError });
  return {
    flush,
    async stop() {
      await stopRepeating();
      await flush();
    },
  };
}

export const RETENTION_DAYS = 7;

/** However much fails: the newest count. */
export const ROWS_MAX = 200_000;

export const failureChore: Chore = tableChore('failed_requests', async ({ session }, now, limit) => {
  const old = await deleteOldFailedRequests(session, daysAgo(now, RETENTION_DAYS), limit);
  if (old > 0) return old;
  const oldestKept = await selectOldestKept(session, ROWS_MAX);
  return oldestKept === null ? 0 : deleteFailedRequestsBefore(session, oldestKept, limit);
});
