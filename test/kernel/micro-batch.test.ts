import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createMicroBatch, type MicroBatchOptions } from '../../src/kernel/micro-batch.ts';

interface Call {
  keys: readonly number[];
  answer(): void;
  fail(error: Error): void;
}

/** A batch whose statements stay open until the test answers them with ten times the key. */
function createProbe(options: Partial<MicroBatchOptions<number, number>> = {}) {
  const calls: Call[] = [];
  const sizes: number[] = [];
  const lookUp = createMicroBatch<number, number>({
    run: (keys) =>
      new Promise((resolve, reject) => {
        calls.push({ keys, answer: () => resolve(keys.map((key) => key * 10)), fail: reject });
      }),
    sizeMax: 64,
    inFlightMax: 1,
    inFlightSlowMax: 1,
    waitMsMax: 60_000,
    refusal: () => new Error('too slow'),
    canBeOneKeysFault: () => true,
    ...options,
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
    const answers = Promise.all([1, 2, 3, 4, 5, 6].map(lookUp));
    await turn();
    expect(calls.map((call) => call.keys)).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    for (const call of calls) call.answer();
    expect(await answers).toEqual([10, 20, 30, 40, 50, 60]);
  });

  it('sends no small statement beside a larger one: more keys gather until that is back', async () => {
    // No time passes, so the first is not long in coming back, however busy the machine is.
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { lookUp, calls } = createProbe({ inFlightMax: 2 });
    const first = Promise.all([1, 2, 3].map(lookUp));
    await turn();
    const second = Promise.all([4, 5].map(lookUp));
    await turn();
    expect(calls.map((call) => call.keys)).toEqual([[1, 2, 3]]);
    const third = lookUp(6);
    await turn();
    expect(calls.map((call) => call.keys)).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    const fourth = lookUp(7);
    for (const call of calls) call.answer();
    expect(await Promise.all([first, second, third])).toEqual([[10, 20, 30], [40, 50], 60]);
    await turn();
    calls[2]?.answer();
    expect(await fourth).toBe(70);
  });

  it('sends it all the same when the larger one is long in coming back', async () => {
    const { lookUp, calls } = createProbe({ inFlightMax: 2 });
    const first = Promise.all([1, 2, 3].map(lookUp));
    await turn();
    const second = lookUp(4);
    await expect.poll(() => calls.map((call) => call.keys), { interval: 5 }).toEqual([[1, 2, 3], [4]]);
    for (const call of calls) call.answer();
    expect(await Promise.all([first, second])).toEqual([[10, 20, 30], 40]);
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
    const { lookUp, calls } = createProbe({ canBeOneKeysFault: () => false });
    const answers = Promise.allSettled([lookUp(1), lookUp(2)]);
    await turn();
    calls[0]?.fail(new Error('database gone'));
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(calls).toHaveLength(1);
  });

  it('sends more statements at once the longer they take, up to a bound', async () => {
    const { lookUp, calls } = createProbe({ sizeMax: 1, inFlightMax: 2, inFlightSlowMax: 5 });
    const answers = Promise.all([1, 2, 3, 4, 5, 6, 7].map(lookUp));
    await turn();
    expect(calls).toHaveLength(2);
    // Nothing comes back, and nothing else arrives.
    await expect.poll(() => calls.length, { interval: 5 }).toBe(5);
    calls[0]?.answer();
    await expect.poll(() => calls.length, { interval: 5 }).toBe(6);
    calls[1]?.answer();
    await turn();
    for (const call of calls.slice(2)) call.answer();
    await expect.poll(() => calls.length, { interval: 5 }).toBe(7);
    calls[6]?.answer();
    expect(await answers).toEqual([10, 20, 30, 40, 50, 60, 70]);
  });

  it('refuses what has waited too long, and never sends it', async () => {
    const { lookUp, calls } = createProbe({ waitMsMax: 30 });
    const first = lookUp(1);
    await turn();
    await expect(lookUp(2)).rejects.toThrow('too slow');
    calls[0]?.answer();
    expect(await first).toBe(10);
    const third = lookUp(3);
    await turn();
    calls[1]?.answer();
    expect([await third, calls.map((call) => call.keys)]).toEqual([30, [[1], [3]]]);
  });

  it('refuses at once what would wait too long behind others, while they still wait', async () => {
    const { lookUp, calls } = createProbe({ sizeMax: 1, waitMsMax: 100 });
    const slow = lookUp(1);
    await turn();
    await new Promise((resolve) => setTimeout(resolve, 60));
    const order: string[] = [];
    const waiting = [lookUp(2), lookUp(3)].map((one) => one.catch(() => void order.push('expired')));
    const refused = lookUp(4).catch(() => void order.push('refused'));
    await refused;
    expect(order).toEqual(['refused']);
    await Promise.all(waiting);
    expect(order).toEqual(['refused', 'expired', 'expired']);
    calls[0]?.answer();
    expect(await slow).toBe(10);
  });

  it('refuses from the end what came before it was known how slow batches are, while the first still wait', async () => {
    const { lookUp, calls } = createProbe({ sizeMax: 1, waitMsMax: 5_000 });
    const slow = lookUp(100);
    await turn();
    const refused: number[] = [];
    const [first] = Array.from({ length: 100 }, (_, place) =>
      lookUp(place).catch(() => void refused.push(place)),
    );
    await expect.poll(() => refused).toContain(99);
    expect(refused).not.toContain(0);
    calls[0]?.answer();
    expect(await slow).toBe(1_000);
    await expect.poll(() => calls.length).toBe(2);
    calls[1]?.answer();
    expect(await first).toBe(0);
  });

  it('fails a batch whose number of answers differs from its number of keys', async () => {
    const { lookUp } = createProbe({ run: async () => [] });
    await expect(lookUp(1)).rejects.toThrow('a batch of 1 got 0 answers');
  });
});
