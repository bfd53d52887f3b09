import { type ApiSource, apiProblems, apiSteps, type FrozenState, frozenProblems } from '@dateline/versions';
import { errorMessage } from '../../kernel/error-facts.ts';
import type { CommandInput } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { readFrozenFiles, readFrozenHistory } from './frozen-files.ts';

/** Names everything that is wrong with the contracts of this work tree; where nothing is, what they hold. */
export async function checkContracts({ output }: CommandInput): Promise<void> {
  const frozen = readFrozenFiles('.');
  const source = await readSource();
  const problems = [...frozenProblems(frozen, readFrozenHistory('.')), ...apiProblems(source)];
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
  output.list(
    versionRows(frozen, source),
    ['version', 'state', 'since', 'differences', 'modules', 'sha256'],
    'No version is there.',
  );
}

/** What the compiler would have refused may fail only here, since this command does not wait for it. */
async function readSource(): Promise<ApiSource> {
  try {
    const { apiSource } = await import('../../contracts/api.ts');
    return apiSource();
  } catch (error) {
    throw new CommandError(
      `The contracts cannot be loaded: ${errorMessage(error)}. "npx tsc -p tsconfig.json" names the line.`,
    );
  }
}

/** One row for each version but the last of the source, which is Next again until that is frozen. */
function versionRows({ lock }: FrozenState, source: ApiSource) {
  const steps = apiSteps(source);
  return steps.map(({ older: { version } }, index) => {
    const since = steps[index - 1];
    const sha256 = lock.sha256[version];
    return {
      version,
      state: sha256 === undefined ? 'open' : 'unchanged',
      since: since?.older.version,
      differences: since?.differences.length,
      modules: since?.changes?.length,
      sha256,
    };
  });
}
