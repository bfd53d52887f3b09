import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { type Bench, type BenchResult, isTooNoisy, type Measured, type Pace, runBench } from './harness.ts';

const FULL: Pace = { rounds: 7, roundMs: 1_500, warmUpMs: 500 };
/** For the test that the harness works; its numbers mean nothing. */
const QUICK: Pace = { rounds: 2, roundMs: 50, warmUpMs: 10 };

/** Runs the named benches, or all; prints their tables and writes them to the given file. */
export async function main(args: readonly string[], resultsFolder: string): Promise<number> {
  const quick = args.includes('--quick');
  const wanted = args.filter((arg) => !arg.startsWith('--'));
  const benches = await loadBenches();
  const unknown = wanted.find((name) => !benches.some((bench) => bench.name === name));
  if (unknown !== undefined) {
    console.error(
      `There is no bench "${unknown}"; there are: ${benches.map(({ name }) => name).join(', ')}.`,
    );
    return 1;
  }
  const results: BenchResult[] = [];
  for (const bench of benches.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    const result = await runBench(bench, quick ? QUICK : FULL, (line) => console.error(line));
    console.log(table(result));
    results.push(result);
  }
  if (!quick) write(resultsFolder, results);
  return 0;
}

async function loadBenches(): Promise<Bench[]> {
  const files = readdirSync(new URL('.', import.meta.url)).filter((file) => /\.bench\.[jt]s$/.test(file));
  const modules = await Promise.all(files.sort().map((file) => import(new URL(file, import.meta.url).href)));
  return modules.map((module: { bench: Bench }) => module.bench);
}

function write(folder: string, results: readonly BenchResult[]): void {
  mkdirSync(folder, { recursive: true });
  const machine = { node: process.version, cores: cpus().length };
  const file = join(folder, 'latest.json');
  // A run of some benches leaves the last figures of the others.
  const names = results.map(({ name }) => name);
  const others = readResults(file).filter(({ name }) => !names.includes(name));
  const sorted = [...others, ...results].sort((one, other) => (one.name < other.name ? -1 : 1));
  const body = { date: new Date().toISOString().slice(0, 10), machine, results: sorted };
  writeFileSync(file, `${JSON.stringify(body, null, 2)}\n`);
}

function readResults(file: string): BenchResult[] {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { results: BenchResult[] }).results;
  } catch {
    return [];
  }
}

function table(result: BenchResult): string {
  const { name, says, rounds, ratios, perSecond, p99Ms = [], mainThreadUs = [], mainThreads = [] } = result;
  const lines = [
    `\n${name}: ${says}`,
    ...ratios.map((ratio) => `  ${shown(ratio, 2)} x  ${ratio.of} / ${ratio.to}${noise(ratio)}`),
    ...mainThreads.map(
      (ratio) => `  ${shown(ratio, 2)} x  main thread of ${ratio.of} / ${ratio.to}${noise(ratio)}`,
    ),
    ...perSecond.map((speed) => `  ${shown(speed, 0)} /s ${speed.contender}`),
    ...p99Ms.map((latency) => `  ${shown(latency, 1)} ms ${latency.contender}, 99 of 100 answers`),
    ...mainThreadUs.map((time) => `  ${shown(time, 1)} us ${time.contender}, main thread`),
    `  (median, least and most of ${rounds} rounds)`,
  ];
  return lines.join('\n');
}

function shown({ median, least, most }: Measured, digits: number): string {
  const text = (value: number): string => value.toFixed(digits).padStart(9);
  return `${text(median)} [${text(least)},${text(most)}]`;
}

function noise(ratio: Measured): string {
  return isTooNoisy(ratio) ? '  (the machine was too noisy to conclude anything from this)' : '';
}
