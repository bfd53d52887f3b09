import type { Environment } from '../environments/environment.ts';
import { newId } from '../kernel/ids.ts';
import { repeat } from '../kernel/repeat.ts';
import { addUsage, type UsageBatch } from './store.ts';
import type { UsageCounter } from './usage-counter.ts';

export interface KeepUsageOptions {
  environment: Environment;
  counter: UsageCounter;
  /** Counts could not be stored; they are kept and tried again. */
  onDelay(error: unknown): void;
  /** This many requests will not be in the counts. */
  onLoss(requests: number): void;
  /** Finds the callers of requests that are counted with them; called before storing. Never rejects. */
  findCallers?(): Promise<void>;
  /** For tests that decide when to flush. */
  flushEveryMs?: number;
}

export interface UsageKeeper {
  /** Stores what was counted so far. Never rejects: what cannot be stored now stays for the next time. */
  flush(): Promise<void>;
  /** Flushes for the last time. */
  stop(): Promise<void>;
}

const FLUSH_EVERY_MS = 2_000;

/**
 * Adds the counts of this process to the database every few seconds, in one statement. A batch without an answer is sent
 * again unchanged, under the same number: the database takes each number of a writer once.
 */
export function keepUsage(options: KeepUsageOptions): UsageKeeper {
  const { counter, onDelay, onLoss, findCallers, flushEveryMs = FLUSH_EVERY_MS } = options;
  const { database, clock } = options.environment;
  const writerId = newId('usw', clock.now());
  let batchNumber = 0;
  let unconfirmed: UsageBatch | null = null;
  let lastFlush = Promise.resolve();

  function nextBatch(): UsageBatch | null {
    const { counts, dropped } = counter.take();
    if (dropped > 0) onLoss(dropped);
    if (counts.length === 0) return null;
    batchNumber += 1;
    return { writerId, number: batchNumber, writtenAt: clock.now(), counts };
  }

  async function store(): Promise<void> {
    await findCallers?.();
    // Where it was stored the first time, nothing is written now: only a transaction makes sure that it stays.
    const again = unconfirmed;
    if (again) await database.transaction((session) => addUsage(session, again));
    unconfirmed = nextBatch();
    if (unconfirmed) await addUsage(database, unconfirmed);
    unconfirmed = null;
  }

  /** One at a time: two flushes could send the same batch. */
  function flush(): Promise<void> {
    lastFlush = lastFlush.then(store).catch(onDelay);
    return lastFlush;
  }

  const stopFlushing = repeat(flush, { everyMs: flushEveryMs, onError: onDelay });
  return {
    flush,
    async stop() {
      await stopFlushing();
      await flush();
      const rest = [...(unconfirmed?.counts ?? []), ...counter.take().counts];
      const lost = rest.reduce((sum, { requests }) => sum + requests, 0);
      if (lost > 0) onLoss(lost);
    },
  };
}
