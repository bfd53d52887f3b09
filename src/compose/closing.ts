import type { Config } from '../config/load-config.ts';
import { atMost } from '../kernel/wait.ts';
import { asStartupError } from '../storage/open-database.ts';

/** The parts that a process closes when it ends. Each is registered as soon as it is open. */
export interface Closing {
  /** First, all at the same time: what accepts new work. Work in flight has `limitMs` to end. */
  drainFirst(drain: (limitMs: number) => Promise<void>): void;
  /** Then: what runs beside the requests and still needs the databases. */
  stopThen(stop: () => Promise<void>): void;
  /** Last: the databases. */
  closeLast(close: () => Promise<void>): void;
  close(drainLimitMs: number): Promise<void>;
}

// A statement that hangs must not keep a process from ending.
const STOP_LIMIT_MS = 3_000;

export function createClosing(): Closing {
  const drains: ((limitMs: number) => Promise<void>)[] = [];
  const stops: (() => Promise<void>)[] = [];
  const closes: (() => Promise<void>)[] = [];
  return {
    drainFirst: (drain) => void drains.push(drain),
    stopThen: (stop) => void stops.push(stop),
    closeLast: (close) => void closes.push(close),
    async close(drainLimitMs) {
      await Promise.allSettled(drains.map((drain) => drain(drainLimitMs)));
      await atMost(STOP_LIMIT_MS, Promise.allSettled(stops.map((stop) => stop())));
      await Promise.all(closes.map((close) => close()));
    },
  };
}

/**
 * Starts something that registers what it opens. On failure it closes what was opened; if the database is the cause,
 * the error is a sentence for the operator.
 */
export async function closingOnFailure<Started>(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  start: (closing: Closing) => Promise<Started>,
): Promise<Started> {
  const closing = createClosing();
  try {
    return await start(closing);
  } catch (error) {
    await closing.close(0);
    throw asStartupError(error, databaseUrl);
  }
}
