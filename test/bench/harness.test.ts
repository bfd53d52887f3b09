import { describe, expect, it } from 'vitest';
import { type Bench, keepBusy, runBench } from '../../bench/harness.ts';

const pace = { rounds: 3, roundMs: 10, warmUpMs: 5 };

function counting() {
  const turns: string[] = [];
  let closed = 0;
  const contender = (name: string, perMs: number) => ({
    name,
    async work(forMs: number) {
      turns.push(name);
      const startedAt = performance.now();
      while (performance.now() < startedAt + forMs);
      // By the time that it took, which on a busy machine is more than it was given.
      return { operations: (performance.now() - startedAt) * perMs, latenciesMs: [perMs] };
    },
  });
  const bench: Bench = {
    name: 'counting',
    description: 'counts',
    ratios: [['fast', 'slow']],
    prepare: async () => ({
      contenders: [contender('fast', 4), contender('slow', 1)],
      close: async () => {
        closed += 1;
      },
    }),
  };
  return { bench, turns, closedTimes: () => closed };
}

describe('the bench harness', () => {
  it('interleaves the contenders, warms each up directly before its turn and closes once', async () => {
    const { bench, turns, closedTimes } = counting();
    await runBench(bench, pace, () => {});
    expect(turns).toEqual(
      [...'ffss', ...'ffss', ...'ssff', ...'ffss'].map((letter) => (letter === 'f' ? 'fast' : 'slow')),
    );
    expect(closedTimes()).toBe(1);
  });

  it('computes ratios within rounds, and takes their median', async () => {
    const { bench } = counting();
    const { ratios, perSecond } = await runBench(bench, pace, () => {});
    const [ratio] = ratios;
    expect(ratio).toMatchObject({ of: 'fast', to: 'slow' });
    // The fast one counts four where the slow one counts one; what is left is noise of the clock.
    expect(ratio?.median).toBeGreaterThan(2);
    expect(ratio?.least).toBeLessThanOrEqual(ratio?.median ?? 0);
    expect(ratio?.median).toBeLessThanOrEqual(ratio?.most ?? 0);
    expect(perSecond.map(({ contender }) => contender)).toEqual(['fast', 'slow']);
  });

  it('prepares a contender before its turn, and omits ratios for which a contender is missing', async () => {
    const { bench, turns } = counting();
    const { contenders, close } = await bench.prepare();
    const prepared = contenders.map((contender) => ({
      ...contender,
      beforeTurn: async () => void turns.push(`before ${contender.name}`),
    }));
    const oneRound = { ...pace, rounds: 1 };
    const { ratios } = await runBench(
      {
        ...bench,
        ratios: [...bench.ratios, ['fast', 'absent']],
        prepare: async () => ({ contenders: prepared, close }),
      },
      oneRound,
      () => {},
    );
    const once = ['before fast', 'fast', 'fast', 'before slow', 'slow', 'slow'];
    expect(turns).toEqual([...once, ...once]);
    expect(ratios.map(({ to }) => to)).toEqual(['slow']);
  });

  it('reports the 99th percentile of the operations it is asked about', async () => {
    const { bench } = counting();
    const latenciesMs = Array.from({ length: 200 }, (_, index) => 200 - index);
    const timed = { name: 'timed', work: async () => ({ operations: 200, latenciesMs }) };
    const { p99Ms } = await runBench(
      {
        ...bench,
        latencies: ['timed'],
        prepare: async () => ({ contenders: [timed], close: async () => {} }),
      },
      pace,
      () => {},
    );
    expect(p99Ms).toEqual([{ contender: 'timed', median: 198, least: 198, most: 198 }]);
  });

  it.runIf(process.platform === 'linux')(
    'measures the main thread of a process that it is given',
    async () => {
      const { bench } = counting();
      const { contenders, close } = await bench.prepare();
      const { mainThreadUs, mainThreads } = await runBench(
        {
          ...bench,
          mainThreads: [['fast', 'slow']],
          prepare: async () => ({
            contenders: contenders.map((one) => ({ ...one, pid: process.pid })),
            close,
          }),
        },
        { rounds: 3, roundMs: 60, warmUpMs: 5 },
        () => {},
      );
      expect(mainThreadUs?.map(({ contender }) => contender)).toEqual(['fast', 'slow']);
      for (const { most } of mainThreadUs ?? []) expect(most).toBeGreaterThan(0);
      expect(mainThreads).toMatchObject([{ of: 'fast', to: 'slow' }]);
    },
  );

  it('closes contenders also when one fails', async () => {
    const { bench, closedTimes } = counting();
    const failing: Bench = {
      ...bench,
      async prepare() {
        const { close } = await bench.prepare();
        return { close, contenders: [{ name: 'broken', work: () => Promise.reject(new Error('broken')) }] };
      },
    };
    await expect(runBench(failing, pace, () => {})).rejects.toThrow('broken');
    expect(closedTimes()).toBe(1);
  });

  it('keeps the given number of operations in flight', async () => {
    let [now, most] = [0, 0];
    const lanes = new Set<number>();
    const { operations, latenciesMs } = await keepBusy(5, 20, async (lane) => {
      lanes.add(lane);
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
    });
    expect(most).toBe(5);
    expect([...lanes]).toEqual([0, 1, 2, 3, 4]);
    expect(operations).toBeGreaterThan(5);
    // The first operation of each lane may have had to open a connection.
    expect(latenciesMs?.length).toBe(operations - 5);
  });
});
