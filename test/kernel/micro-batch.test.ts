import { describe, expect, it } from 'vitest';
import { createMicroBatch } from '../../src/kernel/micro-batch.ts';

interface Call {
  keys: readonly number[];
  answer(): void;
  fail(error: Error): void;
}

/** A batch whose statements stay open until the test answers them with ten times the key. */
function createProbe(options: { sizeMax?: number; inFlightMax?: number; canBeOneKeysFault?: boolean } = {}) {
  const calls: Call[] = [];
  const sizes: number[] = [];
  const lookUp = createMicroBatch<number, number>({
    run: (keys) =>
      new Promise((resolve, reject) => {
        calls.push({ keys, answer: () => resolve(keys.map((key) => key * 10)), fail: reject });
      }),
    sizeMax: options.sizeMax ?? 64,
    inFlightMax: options.inFlightMax ?? 1,
    canBeOneKeysFault: () => options.canBeOneKeysFault ?? true,
    onBatch: (size) => sizes.push(size),
  });
  return { lookUp, calls, sizes };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('a micro-batch', () => {
  it('sends one statement for keys that arrive together, and answers each by its own key', async () => {
    const { lookUp, calls, sizes } = createProbe();
    const answers = Promise.all([lookUp(1), lookUp(2), lookUp(3)]);
    await turn();
    expect(calls.map((call) => call.keys)).toEqual([[1, 2, 3]]);
    calls[0]?.answer();
    expect(await answers).toEqual([10, 20, 30]);
    expect(sizes).toEqual([3]);
  });

  it('never lets a look-up join a statement that was sent already, even for the same key', async () => {
    const { lookUp, calls } = createProbe({ inFlightMax: 2 });
    const early = lookUp(1);
    await turn();
    const late = lookUp(1);
    await turn();
    expect(calls.map((call) => call.keys)).toEqual([[1], [1]]);
    calls[1]?.answer();
    expect(await late).toBe(10);
    calls[0]?.answer();
    expect(await early).toBe(10);
  });

  it('gathers keys while the maximum number of statements is in flight', async () => {
    const { lookUp, calls } = createProbe({ inFlightMax: 1 });
    const first = lookUp(1);
    await turn();
    const rest = Promise.all([lookUp(2), lookUp(3)]);
    await turn();
    expect(calls).toHaveLength(1);
    calls[0]?.answer();
    await first;
    await turn();
    expect(calls[1]?.keys).toEqual([2, 3]);
    calls[1]?.answer();
    expect(await rest).toEqual([20, 30]);
  });

  it('sends no more keys at once than the maximum size', async () => {
    const { lookUp, calls } = createProbe({ sizeMax: 2, inFlightMax: 9 });
    const answers = Promise.all([1, 2, 3, 4, 5].map(lookUp));
    await turn();
    expect(calls.map((call) => call.keys)).toEqual([[1, 2], [3, 4], [5]]);
    for (const call of calls) call.answer();
    expect(await answers).toEqual([10, 20, 30, 40, 50]);
  });

  it('retries one by one when a batch fails, so that a bad key fails alone', async () => {
    const { lookUp, calls } = createProbe();
    const answers = Promise.allSettled([lookUp(1), lookUp(2)]);
    await turn();
    calls[0]?.fail(new Error('bad key among these'));
    await turn();
    expect(calls.slice(1).map((call) => call.keys)).toEqual([[1], [2]]);
    calls[1]?.fail(new Error('bad key'));
    calls[2]?.answer();
    const [bad, good] = await answers;
    expect(bad).toMatchObject({ status: 'rejected', reason: { message: 'bad key' } });
    expect(good).toEqual({ status: 'fulfilled', value: 20 });
  });

  it('rejects all keys at once for an error that no single key has caused', async () => {
    const { lookUp, calls } = createProbe({ canBeOneKeysFault: false });
    const answers = Promise.allSettled([lookUp(1), lookUp(2)]);
    await turn();
    calls[0]?.fail(new Error('database gone'));
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(calls).toHaveLength(1);
  });

  it('fails a batch whose number of answers differs from its number of keys', async () => {
    const lookUp = createMicroBatch<number, number>({
      run: async () => [],
      sizeMax: 8,
      inFlightMax: 1,
      canBeOneKeysFault: () => true,
    });
    await expect(lookUp(1)).rejects.toThrow('a batch of 1 got 0 answers');
  });
});
