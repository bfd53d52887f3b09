import type { Contract } from '@dateline/versions';
import { commonSteps } from './common-steps.ts';
import { headScript } from './head-script.ts';
import type { Step } from './step.ts';

/** What to record for a version: Next, or the version that was Next until now, is played from the script of Next. */
export function scriptOf(contract: Contract): readonly Step[] {
  const steps = [...headScript, ...commonSteps(contract, headScript)];
  const names = steps.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two steps of ${contract.version} are called "${twice}"`);
  return steps;
}
