import { type ApiSource, apiProblems, frozenProblems } from '@dateline/versions';
import { historyGap, readFrozenFiles, readFrozenHistory } from '../../api/folder/freeze/frozen-files.ts';
import { errorMessage } from '../../kernel/error-facts.ts';
import type { CommandInput } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { apiFolderOf } from '../input/api-folder.ts';
import type { Output } from '../output.ts';
import { listVersions } from './list-versions.ts';
import { ourFrozen, ourWords } from './our-frozen.ts';

/** Names everything that is wrong with the contracts of a folder, or of this work tree; where nothing is, what they hold. */
export async function checkContracts(input: CommandInput): Promise<void> {
  const folder = apiFolderOf(input);
  if (folder === null) return checkOurContracts(input.output);
  const { checkFolder } = await import('./check-folder.ts');
  await checkFolder(folder, input.output);
}

async function checkOurContracts(output: Output): Promise<void> {
  const frozen = readFrozenFiles(ourFrozen);
  const source = await readOurSource();
  const past = readFrozenHistory(ourFrozen);
  const problems = [...frozenProblems(frozen, past, ourWords), ...apiProblems(source)];
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
  const gap = historyGap(ourFrozen, past);
  if (gap !== null) output.note(gap);
  listVersions(output, frozen, source);
}

/** Loads the contracts of this tree. Without the compiler, errors that it would have found may show only here. */
export async function readOurSource(): Promise<ApiSource> {
  try {
    const { apiSource } = await import('../../contracts/api.ts');
    return apiSource();
  } catch (error) {
    throw new CommandError(
      `The contracts cannot be loaded: ${errorMessage(error)}. "npx tsc -p tsconfig.json" names the line.`,
    );
  }
}
