import type { Contract } from '../../src/versions/contract.ts';
import { commonSteps } from './common-steps.ts';
import { script as deprecated } from './founding/2026-07.ts';
import { script as current } from './founding/2026-10.ts';
import { headScript } from './head-script.ts';
import type { Step } from './step.ts';

// The versions that were there when the engine was built. When the founding period closes, founding/ goes, and this with
// it: their tapes are never recorded again.
export const foundingScripts: Readonly<Record<string, readonly Step[]>> = {
  '2026-07': deprecated,
  '2026-10': current,
};

/** What to record for a version: Next, or what was Next until just now, is played from the script of Next. */
export function scriptOf(contract: Contract): readonly Step[] {
  const own = foundingScripts[contract.version] ?? headScript;
  const steps = [...own, ...commonSteps(contract, own)];
  const names = steps.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two steps of ${contract.version} are called "${twice}"`);
  return steps;
}
