import { systemClock } from '../../kernel/clock.ts';
import { errorMessage } from '../../kernel/error-facts.ts';
import type { CommandInput } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { apiFolderOf } from '../input/api-folder.ts';
import type { Output } from '../output.ts';
import {
  type ContractRelease,
  contractReleaseProblem,
  planContractRelease,
} from './plan-contract-release.ts';

/** Freezes head and opens the next version, in this work tree. */
export async function releaseContract(input: CommandInput): Promise<void> {
  const { isSet, output } = input;
  const release = await planFor(apiFolderOf(input));
  const problem = contractReleaseProblem(release, systemClock.now());
  showPlan(release, problem, output);
  if (isSet('dry-run')) return output.note('This is the plan; nothing was changed.');
  if (problem !== null) throw new CommandError(problem);
  await applySteps(release, output);
  output.note(
    release.after
      ? 'Done. Run "npm test", review the diff, and commit it as it is.'
      : 'Done. Review the diff, and commit it as it is.',
  );
}

async function planFor(folder: string | null): Promise<ContractRelease> {
  if (folder === null) return planContractRelease();
  const { planFolder } = await import('./plan-folder-release.ts');
  return planFolder(folder);
}

function showPlan(release: ContractRelease, problem: string | null, output: Output): void {
  const { frozen, newHead, deleted, deployBefore } = release;
  const sentences = [
    ...release.steps.map(({ description }) => description),
    ...(release.after?.messages ?? []),
  ];
  if (output.json) {
    return output.item({
      freezes: frozen,
      opens: newHead,
      deletes: deleted,
      deploy_before: deployBefore.toISOString(),
      steps: sentences,
      obstacle: problem,
    });
  }
  for (const [index, description] of sentences.entries()) output.text(`${index + 1}. ${description}`);
  output.text(
    `Deploy the build to every node before ${deployBefore.toISOString()}, when ${frozen} becomes Current. ` +
      'It serves the versions on both sides of that moment.',
  );
  if (problem !== null) output.note(`This cannot be done now: ${problem}`);
}

async function applySteps({ root, steps, after }: ContractRelease, output: Output): Promise<void> {
  try {
    for (const { description, apply } of steps) {
      output.note(`${description} …`);
      await apply();
    }
    after?.apply();
  } catch (error) {
    throw new CommandError(
      `This step failed: ${errorMessage(error)}\n` +
        `Undo it with "git restore . && git clean -fd ${after ? 'src test' : root}", and fix the cause.`,
    );
  }
}
