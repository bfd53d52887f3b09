import type { Environment } from '../environments/environment.ts';
import { newId } from '../kernel/ids.ts';
import { DAY_MS, type Day, dayOf, daysBefore } from './day.ts';
import { addUsage, deleteOldUsage, type UsageBatch } from './store.ts';
import type { UsageCounter } from './usage-counter.ts';

export interface KeepUsageOptions {
  environment: Environment;
  counter: UsageCounter;
  /** Counts could not be stored; they are kept and tried again. */
  onDelay(error: unknown): void;
  /** This many requests will not be in the counts. */
  onLoss(requests: number): void;
  /** For tests that say themselves when to flush. */
  flushEveryMs?: number;
}

export interface UsageKeeper {
  /** Stores what was counted so far. Never rejects: what cannot be stored now stays for the next time. */
  flush(): Promise<void>;
  /** Flushes for the last time. */
  stop(): Promise<void>;
}

const FLUSH_EVERY_MS = 2_000;
/** Thirteen months: the same quarter of the year before can still be looked at. */
export const RETENTION_DAYS = 400;
const WRITER_RETENTION_MS = 7 * DAY_MS;

/**
 * Brings the counts of this process into the database every few seconds, as one statement. A batch whose answer did not
 * come is sent again as it was, under the same number: the database takes each number of a writer once.
 */
export function keepUsage(options: KeepUsageOptions): UsageKeeper {
  const { counter, onDelay, onLoss, flushEveryMs = FLUSH_EVERY_MS } = options;
  const { database, clock } = options.environment;
  const writerId = newId('usw', clock.now());
  let batchNumber = 0;
  let unconfirmed: UsageBatch | null = null;
  let lastWork = Promise.resolve();
  let tidiedOn: Day | null = null;
  let stopped = false;
  let timer: NodeJS.Timeout;

  function nextBatch(): UsageBatch | null {
    const { counts, dropped } = counter.take();
    if (dropped > 0) onLoss(dropped);
    if (counts.length === 0) return null;
    batchNumber += 1;
    return { writerId, number: batchNumber, writtenAt: clock.now(), counts };
  }

  async function confirm(batch: UsageBatch): Promise<void> {
    await addUsage(database, batch);
    unconfirmed = null;
  }

  async function store(): Promise<void> {
    if (unconfirmed) await confirm(unconfirmed);
    unconfirmed = nextBatch();
    if (unconfirmed) await confirm(unconfirmed);
  }

  async function tidyOnceADay(): Promise<void> {
    const today = dayOf(clock.now());
    if (tidiedOn === today) return;
    await deleteOldUsage(database, {
      before: daysBefore(today, RETENTION_DAYS),
      writtenBefore: new Date(clock.now().getTime() - WRITER_RETENTION_MS),
    });
    tidiedOn = today;
  }

  /** One thing at a time: two flushes could send the same batch. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    lastWork = lastWork.then(work).catch(onDelay);
    return lastWork;
  }

  const flush = (): Promise<void> => inTurn(store);

  async function tick(): Promise<void> {
    await flush();
    if (!stopped) await inTurn(tidyOnceADay);
    if (!stopped) wait();
  }

  function wait(): void {
    timer = setTimeout(() => void tick(), flushEveryMs);
  }

  wait();
  return {
    flush,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await flush();
      const rest = [...(unconfirmed?.counts ?? []), ...counter.take().counts];
      const lost = rest.reduce((sum, { requests }) => sum + requests, 0);
      if (lost > 0) onLoss(lost);
    },
  };
}
