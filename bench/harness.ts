/** Something that can be done again and again. */
export interface Contender {
  name: string;
  /** What has to be done before its turn, and is not measured. */
  beforeTurn?(): Promise<void>;
  /** Works for about this long and answers with what it did. */
  work(forMs: number): Promise<Work>;
}

export interface Work {
  operations: number;
  /** How long they took, as far as they were timed. */
  latenciesMs?: readonly number[];
}

/** One published comparison. */
export interface Bench {
  name: string;
  /** What is measured, in a sentence. */
  says: string;
  /** Builds the contenders, and a function that takes everything down again. */
  prepare(): Promise<{ contenders: readonly Contender[]; close(): Promise<void> }>;
  /** Pairs of contenders' names: how many times as fast the first is as the second. Left out where one is missing. */
  ratios: readonly (readonly [string, string])[];
  /** Contenders for which the slowest answers are reported. */
  latencies?: readonly string[];
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
  /** In how many milliseconds 99 of 100 operations were done. */
  p99Ms?: (Measured & { contender: string })[];
}

export interface Pace {
  rounds: number;
  roundMs: number;
  warmUpMs: number;
}

/**
 * Rounds are interleaved, so that a noisy minute hits all contenders alike, and a ratio is taken within each round.
 * Each contender warms up directly before its turn: V8 goes cold while others work.
 */
export async function runBench(bench: Bench, pace: Pace, say: (line: string) => void): Promise<BenchResult> {
  const { contenders, close } = await bench.prepare();
  const turns = new Map<string, Turn[]>(contenders.map(({ name }) => [name, []]));
  try {
    for (let round = 0; round < pace.rounds; round += 1) {
      say(`${bench.name}: round ${round + 1} of ${pace.rounds}`);
      for (const contender of rotated(contenders, round))
        turns.get(contender.name)?.push(await takeTurn(contender, pace));
    }
  } finally {
    await close();
  }
  return summedUp(bench, turns, pace.rounds);
}

/**
 * Keeps this many of an operation going at once until the time is over. The first of each lane is not timed: where a lane
 * is a connection, that one may have to be opened.
 */
export async function keepBusy(
  concurrency: number,
  forMs: number,
  operation: (lane: number) => Promise<unknown>,
): Promise<Work> {
  const end = performance.now() + forMs;
  const latenciesMs: number[] = [];
  async function lane(number: number): Promise<void> {
    await operation(number);
    let startedAt = performance.now();
    while (startedAt < end) {
      await operation(number);
      const endedAt = performance.now();
      latenciesMs.push(endedAt - startedAt);
      startedAt = endedAt;
    }
  }
  await Promise.all(Array.from({ length: concurrency }, (_, number) => lane(number)));
  return { operations: latenciesMs.length + concurrency, latenciesMs };
}

interface Turn {
  perSecond: number;
  p99Ms: number;
}

async function takeTurn(contender: Contender, { warmUpMs, roundMs }: Pace): Promise<Turn> {
  await contender.beforeTurn?.();
  await contender.work(warmUpMs);
  const startedAt = performance.now();
  const { operations, latenciesMs = [] } = await contender.work(roundMs);
  const seconds = (performance.now() - startedAt) / 1000;
  return { perSecond: operations / seconds, p99Ms: percentile(latenciesMs, 0.99) };
}

function summedUp(bench: Bench, turns: ReadonlyMap<string, readonly Turn[]>, rounds: number): BenchResult {
  const { name, says, ratios, latencies = [] } = bench;
  const speedsOf = (contender: string): number[] =>
    (turns.get(contender) ?? []).map(({ perSecond }) => perSecond);
  return {
    name,
    says,
    rounds,
    ratios: ratios
      .filter((pair) => pair.every((contender) => turns.has(contender)))
      .map(([of, to]) => {
        const divisors = speedsOf(to);
        return {
          of,
          to,
          ...measured(speedsOf(of).map((speed, round) => speed / (divisors[round] ?? Number.NaN))),
        };
      }),
    perSecond: [...turns.keys()].map((contender) => ({ contender, ...measured(speedsOf(contender)) })),
    p99Ms: latencies.map((contender) => ({
      contender,
      ...measured((turns.get(contender) ?? []).map(({ p99Ms }) => p99Ms)),
    })),
  };
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

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}
