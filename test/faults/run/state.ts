import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { PartOutcome } from './outcome.ts';

/** What is known of a seed: parts that have ended are not run again. */
export interface State {
  /** The build that ran, and the size of the plan: of another one, nothing counts. */
  of: string;
  parts: Record<string, PartOutcome>;
}

const FOLDER = resolve('node_modules', '.cache', 'dateline', 'faults');

export interface KeptState {
  parts(): readonly PartOutcome[];
  keep(outcome: PartOutcome): void;
}

export function openState(seed: string, plan: string): KeptState {
  const file = join(FOLDER, `${seed}.json`);
  const of = `${readFileSync(resolve('dist', '.built-from'), 'utf8').trim()} ${plan}`;
  const found: State | null = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
  const state: State = found?.of === of ? found : { of, parts: {} };
  return {
    parts: () => Object.values(state.parts),
    keep(outcome) {
      state.parts[String(outcome.part)] = outcome;
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(file, JSON.stringify(state));
    },
  };
}
