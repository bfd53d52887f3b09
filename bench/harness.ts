import { readFileSync } from 'node:fs';

/** Something that can be done again and again. */
export interface Contender {
  name: string;
  /** What has to be done before its turn, and is not measured. */
  beforeTurn?(): Promise<void>;
  /** Works for about this long and answers with what it did. */
  work(forMs: number): Promise<Work>;
  /** The process of the server that is measured: what limits it is the time of its main thread. */
  pid?: number;
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
  description: string;
  /** It takes minutes and gigabytes to prepare: left out of a run that names none. */
  onlyByName?: boolean;
  /** Builds the contenders, and a function that takes everything down again. */
  prepare(): Promise<Prepared>;
  /** Pairs of contenders' names: how many times as fast the first is as the second. Left out where one is missing. */
  ratios: readonly (readonly [string, string])[];
  /** Contenders for which the slowest answers are reported. */
  latencies?: readonly string[];
  /** Pairs of contenders' names: how many times as much time of its main thread the first takes for one operation. */
  mainThreads?: readonly (readonly [string, string])[];
}

export interface Prepared {
  contenders: readonly Contender[];
  /** Measures what is no speed, after all rounds. */
  figures?(): Promise<Figure[]>;
  close(): Promise<void>;
}

export interface Measured {
  median: number;
  least: number;
  most: number;
}

export interface Figure extends Measured {
  what: string;
}

export interface BenchResult {
  name: string;
  description: string;
  rounds: number;
  ratios: Ratio[];
  perSecond: (Measured & { contender: string })[];
  /** In how many milliseconds 99 of 100 operations were done. */
  p99Ms?: (Measured & { contender: string })[];
  /** Microseconds of the main thread for one operation, where the system tells. */
  mainThreadUs?: (Measured & { contender: string })[];
  mainThreads?: Ratio[];
  figures?: Figure[];
}

export interface Ratio extends Measured {
  of: string;
  to: string;
}

/** Rounds of one comparison that differ by more than this say nothing about it: the machine had other work to do. */
const SPREAD_MAX = 1.5;

export function isTooNoisy({ least, most }: Measured): boolean {
  return !(most / least <= SPREAD_MAX);
}

export interface Pace {
  rounds: number;
  roundMs: number;
  warmUpMs: number;
  /** For the test that benches work. */
  skipsFigures?: boolean;
}

/**
 * Rounds are interleaved, so that a noisy minute hits all contenders alike, and a ratio is taken within each round.
 * Each contender warms up directly before its turn: V8 goes cold while others work. The very first turns are not counted:
 * by then little is compiled.
 */
export async function runBench(bench: Bench, pace: Pace, say: (line: string) => void): Promise<BenchResult> {
  const { contenders, figures, close } = await bench.prepare();
  const turns = new Map<string, Turn[]>(contenders.map(({ name }) => [name, []]));
  try {
    say(`${bench.name}: a round to warm up`);
    for (const contender of contenders) await takeTurn(contender, pace);
    for (let round = 0; round < pace.rounds; round += 1) {
      say(`${bench.name}: round ${round + 1} of ${pace.rounds}`);
      for (const contender of rotated(contenders, round))
        turns.get(contender.name)?.push(await takeTurn(contender, pace));
    }
    const measuredAfter = pace.skipsFigures ? undefined : await figures?.();
    return { ...summedUp(bench, turns, pace.rounds), ...(measuredAfter && { figures: measuredAfter }) };
  } finally {
    await close();
  }
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
  mainThreadUs: number;
}

async function takeTurn(contender: Contender, { warmUpMs, roundMs }: Pace): Promise<Turn> {
  await contender.beforeTurn?.();
  await contender.work(warmUpMs);
  const startedAt = performance.now();
  const usedBeforeUs = mainThreadUs(contender.pid);
  const { operations, latenciesMs = [] } = await contender.work(roundMs);
  const usedUs = mainThreadUs(contender.pid) - usedBeforeUs;
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    perSecond: operations / seconds,
    p99Ms: percentile(latenciesMs, 0.99),
    mainThreadUs: usedUs / operations,
  };
}

function summedUp(bench: Bench, turns: ReadonlyMap<string, readonly Turn[]>, rounds: number): BenchResult {
  const { name, description, ratios, latencies = [], mainThreads = [] } = bench;
  const valuesOf = (contender: string, figure: keyof Turn): number[] =>
    (turns.get(contender) ?? []).map((turn) => turn[figure]);
  const each = (contenders: readonly string[], figure: keyof Turn) =>
    contenders.map((contender) => ({ contender, ...measured(valuesOf(contender, figure)) }));
  const compared = (pairs: Bench['ratios'], figure: keyof Turn): Ratio[] =>
    pairs
      .filter((pair) => pair.every((contender) => valuesOf(contender, figure).some(Number.isFinite)))
      .map(([of, to]) => {
        const divisors = valuesOf(to, figure);
        const quotients = valuesOf(of, figure).map((value, round) => value / (divisors[round] ?? Number.NaN));
        return { of, to, ...measured(quotients) };
      });
  const timed = [...turns.keys()].filter((contender) =>
    valuesOf(contender, 'mainThreadUs').some(Number.isFinite),
  );
  return {
    name,
    description,
    rounds,
    ratios: compared(ratios, 'perSecond'),
    perSecond: each([...turns.keys()], 'perSecond'),
    p99Ms: each(latencies, 'p99Ms'),
    mainThreadUs: each(timed, 'mainThreadUs'),
    mainThreads: compared(mainThreads, 'mainThreadUs'),
  };
}

function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const cut = by % items.length;
  return [...items.slice(cut), ...items.slice(0, cut)];
}

/** The median, and how far values are apart. */
export function measured(values: readonly number[]): Measured {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return { median: middle, least: sorted[0] ?? Number.NaN, most: sorted.at(-1) ?? Number.NaN };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}

// The clock ticks of /proc, as Linux shows them on every architecture.
const TICK_US = 10_000;

/** How much processor time the main thread of a process has used so far; not a number where the system does not tell. */
function mainThreadUs(pid: number | undefined): number {
  try {
    // After the name of the program, which may contain spaces: the 12th and 13th fields are its own and the system's time.
    const [, fields = ''] = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8').split(') ');
    const [own, system] = fields.split(' ').slice(11, 13).map(Number);
    return ((own ?? Number.NaN) + (system ?? Number.NaN)) * TICK_US;
  } catch {
    return Number.NaN;
  }
}
