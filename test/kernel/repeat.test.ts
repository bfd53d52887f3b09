import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { repeat } from '../../src/kernel/repeat.ts';

/** Work that ends when the test decides. */
function createWork() {
  let running = 0;
  const work = {
    rounds: 0,
    mostAtOnce: 0,
    end: (_error?: Error): void => {},
    async run(): Promise<void> {
      work.rounds += 1;
      running += 1;
      work.mostAtOnce = Math.max(work.mostAtOnce, running);
      await new Promise<void>((resolve, reject) => {
        work.end = (error) => (error ? reject(error) : resolve());
      });
      running -= 1;
    },
  };
  return work;
}

const neverFails = (error: unknown): never => {
  throw error;
};

describe('repeat', () => {
  it('repeats the work, one round after the other', async () => {
    const work = createWork();
    const stop = repeat(work.run, { everyMs: 0, onError: neverFails });
    for (let round = 1; round <= 5; round += 1) {
      await expect.poll(() => work.rounds).toBe(round);
      work.end();
    }
    await expect.poll(() => work.rounds).toBe(6);
    work.end();
    await stop();
    expect(work.mostAtOnce).toBe(1);
  });

  it('begins with a pause, or at once', async () => {
    const early = createWork();
    const late = createWork();
    const stops = [
      repeat(early.run, { everyMs: 3_600_000, atOnce: true, onError: neverFails }),
      repeat(late.run, { everyMs: 3_600_000, onError: neverFails }),
    ];
    expect([early.rounds, late.rounds]).toEqual([1, 0]);
    early.end();
    await Promise.all(stops.map((stop) => stop()));
  });

  it('computes the length of every pause anew', async () => {
    const pauses = [0, 0, 3_600_000];
    const work = createWork();
    const stop = repeat(work.run, { everyMs: () => pauses.shift() ?? 0, onError: neverFails });
    await expect.poll(() => work.rounds).toBe(1);
    work.end();
    await expect.poll(() => work.rounds).toBe(2);
    work.end();
    await expect.poll(() => pauses).toEqual([]);
    await stop();
    expect(work.rounds).toBe(2);
  });

  it('reports a round that rejects or throws, and goes on', async () => {
    const errors: unknown[] = [];
    let rounds = 0;
    const stop = repeat(
      () => {
        rounds += 1;
        if (rounds === 1) throw new Error('thrown');
        return rounds === 2 ? Promise.reject(new Error('rejected')) : Promise.resolve();
      },
      { everyMs: 0, onError: (error) => errors.push(error) },
    );
    await expect.poll(() => rounds).toBeGreaterThan(2);
    await stop();
    expect(errors).toEqual([new Error('thrown'), new Error('rejected')]);
  });

  it('ends the pause when it is stopped, and starts no more rounds', async () => {
    const work = createWork();
    const stop = repeat(work.run, { everyMs: 3_600_000, onError: neverFails });
    await stop();
    expect(work.rounds).toBe(0);
  });

  it('aborts the running round, and waits for its end', async () => {
    let ended = false;
    let begun = (): void => {};
    const beginning = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const stop = repeat(
      async (signal) => {
        begun();
        await once(signal, 'abort');
        await Promise.resolve();
        ended = true;
      },
      { everyMs: 0, onError: neverFails },
    );
    await beginning;
    await stop();
    expect(ended).toBe(true);
  });
});
