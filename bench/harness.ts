/** Something that can be done again and again. */
export interface Contender {
  name: string;
  /** Works for about this long and answers with how many operations it did. */
  work(forMs: number): Promise<number>;
}

/** One published comparison. */
export interface Bench {
  name: string;
  /** What is measured, in a sentence. */
  says: string;
  /** Builds the contenders, and a function that takes everything down again. */
  prepare(): Promise<{ contenders: readonly Contender[]; close(): Promise<void> }>;
  /** Pairs of contenders' names: how many times as fast the first is as the second. */
  ratios: readonly (readonly [string, string])[];
}

export interface Measured {
  median: number;
  least: number;
  most: number;
}

export interface BenchResult {
  name: string;
  says: string;
  rounds: number;
  ratios: (Measured & { of: string; to: string })[];
  perSecond: (Measured & { contender: string })[];
}

export interface Pace {
  rounds: number;
  roundMs: number;
  warmUpMs: number;
}

/**
 * Rounds are interleaved, so that a noisy minute hits everybody alike, and a ratio is taken within each round.
 * Each contender warms up directly before its turn: V8 goes cold while others work.
 */
export async function runBench(bench: Bench, pace: Pace, say: (line: string) => void): Promise<BenchResult> {
  const { contenders, close } = await bench.prepare();
  const speeds = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  try {
    for (let round = 0; round < pace.rounds; round += 1) {
      say(`${bench.name}: round ${round + 1} of ${pace.rounds}`);
      for (const contender of rotated(contenders, round)) {
        await contender.work(pace.warmUpMs);
        speeds.get(contender.name)?.push(await speedOf(contender, pace.roundMs));
      }
    }
  } finally {
    await close();
  }
  const speedsOf = (name: string): number[] => speeds.get(name) ?? [];
  return {
    name: bench.name,
    says: bench.says,
    rounds: pace.rounds,
    ratios: bench.ratios.map(([of, to]) => ({
      of,
      to,
      ...measured(speedsOf(of).map((speed, round) => speed / (speedsOf(to)[round] ?? Number.NaN))),
    })),
    perSecond: contenders.map(({ name }) => ({ contender: name, ...measured(speedsOf(name)) })),
  };
}

/** Keeps this many of an operation going at once until the time is over. */
export async function keepBusy(
  concurrency: number,
  forMs: number,
  operation: () => Promise<unknown>,
): Promise<number> {
  const end = performance.now() + forMs;
  let done = 0;
  async function lane(): Promise<void> {
    while (performance.now() < end) {
      await operation();
      done += 1;
    }
  }
  await Promise.all(Array.from({ length: concurrency }, lane));
  return done;
}

async function speedOf(contender: Contender, forMs: number): Promise<number> {
  const startedAt = performance.now();
  const operations = await contender.work(forMs);
  return (operations / (performance.now() - startedAt)) * 1000;
}

function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const cut = by % items.length;
  return [...items.slice(cut), ...items.slice(0, cut)];
}

function measured(values: readonly number[]): Measured {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return { median: middle, least: sorted[0] ?? Number.NaN, most: sorted.at(-1) ?? Number.NaN };
}
