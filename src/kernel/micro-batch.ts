/**
 * Gathers single look-ups that arrive together into one call of `run`.
 *
 * A look-up joins only a batch that has not been sent yet. It never shares a result in flight:
 * that result may have been read before something the caller already knows of, such as a revocation.
 */
export interface MicroBatchOptions<Key, Value> {
  /** Answers every key, in the order of the keys. */
  run(keys: readonly Key[]): Promise<readonly Value[]>;
  sizeMax: number;
  /** How many batches may be on their way at once; while all are, new look-ups gather. */
  inFlightMax: number;
  /** Whether an error can come from a single key. An error that hits every key alike rejects all at once. */
  canBeOneKeysFault(error: unknown): boolean;
  onBatch?(size: number): void;
}

export type MicroBatch<Key, Value> = (key: Key) => Promise<Value>;

export function createMicroBatch<Key, Value>(options: MicroBatchOptions<Key, Value>): MicroBatch<Key, Value> {
  const waiting: Waiting<Key, Value>[] = [];
  let inFlight = 0;
  let scheduled = false;

  function schedule(): void {
    if (scheduled || inFlight >= options.inFlightMax || waiting.length === 0) return;
    scheduled = true;
    // After the I/O of this turn: every request that has arrived by then is in the same batch.
    setImmediate(() => {
      scheduled = false;
      while (waiting.length > 0 && inFlight < options.inFlightMax) send(waiting.splice(0, options.sizeMax));
    });
  }

  function send(batch: Waiting<Key, Value>[]): void {
    inFlight += 1;
    options.onBatch?.(batch.length);
    void answer(batch, options).finally(() => {
      inFlight -= 1;
      schedule();
    });
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      schedule();
    });
}

interface Waiting<Key, Value> {
  key: Key;
  resolve(value: Value): void;
  reject(error: unknown): void;
}

async function answer<Key, Value>(
  batch: readonly Waiting<Key, Value>[],
  options: MicroBatchOptions<Key, Value>,
): Promise<void> {
  try {
    const values = await options.run(batch.map((item) => item.key));
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
