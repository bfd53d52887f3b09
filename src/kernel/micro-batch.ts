/**
 * Gathers single look-ups that arrive together into one call of `run`.
 *
 * A look-up joins only a batch that has not been sent yet. It never shares a result in flight:
 * that result may have been read before something the caller already knows of, such as a revocation.
 */
export interface MicroBatchOptions<Key, Value, Origin = unknown> {
  /** Answers every key, in the order of the keys. */
  run(keys: readonly Key[], origins: readonly (Origin | undefined)[]): Promise<readonly Value[]>;
  /** Where a look-up comes from, which is asked when it arrives. */
  originOf?(): Origin | undefined;
  sizeMax: number;
  /** Batches in flight at once; while all are, new look-ups gather. */
  inFlightMax: number;
  /** The same while batches take long: then more of them are needed to keep the other side busy. */
  inFlightSlowMax: number;
  /** A look-up that has waited for so long, or would have to, is refused, so that its caller can try again later. */
  waitMsMax: number;
  refusal(): Error;
  /** True if a single key can be the cause. An error that hits every key alike rejects all at once. */
  canBeOneKeysFault(error: unknown): boolean;
  onBatch?(size: number): void;
}

export type MicroBatch<Key, Value> = (key: Key) => Promise<Value>;

/** The latency that allows one more batch in flight. */
const MS_PER_BATCH = 10;
/** The most look-ups that wait: more would fill the memory before the latency of batches is known. */
const WAITING_MAX = 10_000;

export function createMicroBatch<Key, Value, Origin = unknown>(
  options: MicroBatchOptions<Key, Value, Origin>,
): MicroBatch<Key, Value> {
  const { sizeMax, waitMsMax, refusal } = options;
  const waiting: Waiting<Key, Value, Origin>[] = [];
  const flights = createFlights(options);
  let scheduled = false;
  let lookingAgain = false;

  function schedule(): void {
    if (scheduled || waiting.length === 0) return;
    if (!flights.mayBegin(waiting.length)) return lookAgain();
    scheduled = true;
    // After the I/O of this turn: every request that has arrived by then is in the same batch.
    setImmediate(() => {
      scheduled = false;
      while (waiting.length > 0 && flights.mayBegin(waiting.length)) send(waiting.splice(0, sizeMax));
      schedule();
    });
  }

  /** While batches are slow, nothing else would notice that more of them may be sent, or that a look-up has expired. */
  function lookAgain(): void {
    if (lookingAgain) return;
    lookingAgain = true;
    setTimeout(() => {
      lookingAgain = false;
      refuseLate();
      schedule();
    }, MS_PER_BATCH).unref();
  }

  /** Refuses look-ups that have waited for too long, or will: the latency of batches may be known only now. */
  function refuseLate(): void {
    const nowMs = performance.now();
    for (const item of waiting.splice(0)) {
      if (isTooLate(waiting.length, nowMs - item.sinceMs)) item.reject(refusal());
      else waiting.push(item);
    }
  }

  function isTooLate(index: number, waitedMs: number): boolean {
    const batchesAhead = flights.areFull() ? Math.floor(index / sizeMax) : 0;
    return waitedMs + batchesAhead * flights.everyMs() > waitMsMax;
  }

  function send(batch: Waiting<Key, Value, Origin>[]): void {
    const land = flights.begin(batch.length);
    options.onBatch?.(batch.length);
    void answer(batch, options).finally(() => {
      land();
      schedule();
    });
  }

  return (key) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= WAITING_MAX || isTooLate(waiting.length, 0)) return reject(refusal());
      waiting.push({ key, resolve, reject, sinceMs: performance.now(), origin: options.originOf?.() });
      schedule();
    });
}

/** The batches in flight. */
interface Flights {
  areFull(): boolean;
  /** True if a batch of this size is better sent now than gathered on. */
  mayBegin(size: number): boolean;
  /** The interval at which batches can be sent at the present latency. */
  everyMs(): number;
  /** Returns a function to call when the batch has returned. */
  begin(size: number): () => void;
}

type Bounds = Pick<MicroBatchOptions<unknown, unknown>, 'inFlightMax' | 'inFlightSlowMax'>;

function createFlights({ inFlightMax, inFlightSlowMax }: Bounds): Flights {
  const begun = new Set<{ atMs: number; size: number }>();
  let tookMs = 0;

  /** The latency of batches, with the time of one that has not returned yet: a database that hangs answers nothing. */
  function latencyMs(): number {
    const [oldest] = begun;
    return Math.max(tookMs, oldest === undefined ? 0 : performance.now() - oldest.atMs);
  }

  function atOnceMax(): number {
    const byLatency = Math.floor(latencyMs() / MS_PER_BATCH);
    return Math.max(inFlightMax, Math.min(inFlightSlowMax, byLatency));
  }

  const areFull = (): boolean => begun.size >= atOnceMax();

  /**
   * The size of the largest batch in flight. A smaller one is not worth a round trip: another returns soon, and by then
   * more have gathered.
   */
  function worthwhileSize(): number {
    return latencyMs() < MS_PER_BATCH ? Math.max(0, ...[...begun].map(({ size }) => size)) : 0;
  }

  return {
    areFull,
    mayBegin: (size) => !areFull() && size >= worthwhileSize(),
    everyMs: () => latencyMs() / atOnceMax(),
    begin(size) {
      const flight = { atMs: performance.now(), size };
      begun.add(flight);
      return () => {
        begun.delete(flight);
        tookMs = (tookMs + performance.now() - flight.atMs) / 2;
      };
    },
  };
}

interface Waiting<Key, Value, Origin> {
  key: Key;
  origin: Origin | undefined;
  sinceMs: number;
  resolve(value: Value): void;
  reject(error: unknown): void;
}

async function answer<Key, Value, Origin>(
  batch: readonly Waiting<Key, Value, Origin>[],
  options: MicroBatchOptions<Key, Value, Origin>,
): Promise<void> {
  try {
    const values = await options.run(
      batch.map(({ key }) => key),
      batch.map(({ origin }) => origin),
    );
    if (values.length !== batch.length)
      throw new Error(`a batch of ${batch.length} got ${values.length} answers`);
    for (const [index, value] of values.entries()) batch[index]?.resolve(value);
  } catch (error) {
    // One bad input must fail alone, so each key is asked again by itself.
    if (batch.length > 1 && options.canBeOneKeysFault(error)) {
      await Promise.all(batch.map((item) => answer([item], options)));
    } else {
      for (const item of batch) item.reject(error);
    }
  }
}
