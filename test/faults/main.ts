import { resolve } from 'node:path';
import { READS_FROM_STANDBYS } from './deployment/deployment.ts';
import { allKinds } from './kinds/all-kinds.ts';
import type { FaultKind } from './kinds/fault.ts';
import { runLies } from './lies/run-lies.ts';
import { FAULTS, type Options, readOptions } from './options.ts';
import { publish } from './report/publish.ts';
import { tableOf } from './report/table.ts';
import type { PartOutcome } from './run/outcome.ts';
import { runPart } from './run/run-part.ts';
import { openState } from './run/state.ts';
import { drawPlan, type PlannedFault } from './seeded/plan.ts';

/** So many faults take less than twenty minutes. */
const FAULTS_OF_PART = 170;
/** Before a fault that is repeated come those that came before it. */
const REPEATED_BEFORE = 5;

/** Runs what the options ask for; answers with the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (options.lies) return runLies(options.kinds, say);
  const kinds = kindsFor(options);
  const plan = planFor(options, kinds);
  const run = (part: number, faults: readonly PlannedFault[]): Promise<PartOutcome> =>
    runPart({ seed: options.seed, part, plan: faults, kinds, checkout: resolve('.'), say });
  if (options.repeat !== null) return conclude([await run(0, around(plan, options.repeat))], options);
  if (options.kinds.length > 0 || options.short) return conclude([await run(1, plan)], options);
  return runParts(options, plan, run);
}

async function runParts(
  options: Options,
  plan: readonly PlannedFault[],
  run: (part: number, faults: readonly PlannedFault[]) => Promise<PartOutcome>,
): Promise<number> {
  const { seed, part: wanted, faults } = options;
  const state = openState(seed, `${faults} ${READS_FROM_STANDBYS}`);
  const parts = [...new Set(plan.map(({ part }) => part))];
  const done = (part: number): boolean => state.parts().some((one) => one.part === part);
  for (const part of parts.filter((one) => wanted === null || one === wanted)) {
    if (done(part) && wanted === null) say(`part ${part} has run`);
    else
      state.keep(
        await run(
          part,
          plan.filter((one) => one.part === part),
        ),
      );
  }
  if (parts.every(done)) publish(seed, state.parts());
  return conclude(state.parts(), options);
}

/** The table, and every anomaly with the command that repeats its fault. */
function conclude(parts: readonly PartOutcome[], { seed, faults, kinds }: Options): number {
  const others = [
    ...(faults === FAULTS ? [] : [`--faults ${faults}`]),
    ...kinds.map((kind) => `--kind '${kind}'`),
  ];
  say(tableOf(parts));
  const anomalies = parts.flatMap((part) => part.anomalies);
  for (const { kind, text, during } of anomalies)
    say(
      `${kind}: ${text} (${['npm run test:faults --', ...others].join(' ')} --repeat ${seed}:${during ?? 1})`,
    );
  const unmet = parts.flatMap(({ faults }) => faults.filter(({ isMet }) => !isMet));
  for (const { number, kind } of unmet) say(`met by nobody: ${number}, ${kind}`);
  return anomalies.length === 0 ? 0 : 1;
}

function kindsFor({ kinds: wanted }: Options): FaultKind[] {
  const isWanted = (name: string): boolean =>
    wanted.length === 0 || wanted.some((some) => name.includes(some));
  return allKinds.filter(({ needs, name }) => (needs !== 'readers' || READS_FROM_STANDBYS) && isWanted(name));
}

function planFor({ seed, faults, kinds: wanted }: Options, kinds: readonly FaultKind[]): PlannedFault[] {
  if (wanted.length > 0)
    return Array.from({ length: faults }, (_, index) => ({
      number: index + 1,
      part: 1,
      kind: kinds[index % kinds.length]?.name ?? '',
    }));
  return drawPlan(seed, kinds, { faults, parts: Math.ceil(faults / FAULTS_OF_PART) });
}

function around(plan: readonly PlannedFault[], number: number): PlannedFault[] {
  const part = plan.find((one) => one.number === number)?.part;
  return plan.filter(
    (one) => one.part === part && one.number <= number && one.number >= number - REPEATED_BEFORE,
  );
}

function say(line: string): void {
  console.log(line);
}
