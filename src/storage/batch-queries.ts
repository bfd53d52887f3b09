import { type Bound, createBound } from '../kernel/bound.ts';
import { createMicroBatch, type MicroBatch, type MicroBatchOptions } from '../kernel/micro-batch.ts';
import { currentSpan, runIn, type Span, spanning } from '../tracing/span.ts';
import type { Connections, Database } from './database.ts';
import { StorageUnavailableError } from './storage-error.ts';

export interface BatchOptions<Key, Value>
  extends Pick<MicroBatchOptions<Key, Value>, 'onBatch'>,
    Partial<Pick<MicroBatchOptions<Key, Value>, 'sizeMax' | 'inFlightMax'>> {
  run(keys: readonly Key[]): Promise<readonly Value[]>;
  /** The kind of its statements, which decides how many connections they may use while the database is slow. */
  kind: keyof Connections;
}

/** The longest wait for a turn, then 503: sooner than most callers give up. */
const WAIT_MS_MAX = 3_000;

// While the database works on one batch, this process answers the other. With larger ones all callers end up in the same
// batch, and each side waits for the other; smaller ones cost more than they save.
const SIZE_MAX = 32;
const IN_FLIGHT_MAX = 2;

/** A micro-batch whose keys are looked up in, or stored into, the database. */
export function batchQueries<Key, Value>(
  { connections }: Pick<Database, 'connections'>,
  { kind, run, ...options }: BatchOptions<Key, Value>,
): MicroBatch<Key, Value> {
  return createMicroBatch({
    sizeMax: SIZE_MAX,
    inFlightMax: IN_FLIGHT_MAX,
    ...options,
    originOf: currentSpan,
    run: (keys, callers) => inOneSpan(`batch of ${kind}`, callers, () => run(keys)),
    inFlightSlowMax: connections[kind],
    waitMsMax: WAIT_MS_MAX,
    refusal: tooSlow,
    canBeOneKeysFault: (error) => !(error instanceof StorageUnavailableError),
  });
}

/** A batch is a part of the first request in it that is traced, and done for the others as well. */
function inOneSpan<Result>(
  name: string,
  callers: readonly (Span | undefined)[],
  work: () => Promise<Result>,
): Promise<Result> {
  const links = callers.filter((caller) => caller !== undefined);
  const [first] = links;
  // Not of whoever was the last to be answered, either: that was when this batch was looked for.
  if (!first) return runIn(undefined, work);
  const attributes = { 'dateline.batch.size': callers.length };
  return spanning(first.begin({ name, attributes, links }), work);
}

/** The share of the connections for large reads, so that others need not wait for them. */
const LARGE_READS_SHARE = 0.25;

/** Limits the large reads that run at once, round-robin over the callers. */
export function boundLargeReads({ connections }: Database): Bound {
  return createBound({
    atOnceMax: Math.max(1, Math.floor(connections.reads * LARGE_READS_SHARE)),
    waitMsMax: WAIT_MS_MAX,
    refusal: tooSlow,
  });
}

function tooSlow(): Error {
  return new StorageUnavailableError('the database is too slow for the load');
}
