import { type ApiSource, apiSteps, changeTouching } from '@dateline/versions';
import { reserved } from '../../api/compose/reserved.ts';
import { readApiFolder } from '../../api/folder/read-api-folder.ts';
import type { CommandInput } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { apiFolderOf } from '../input/api-folder.ts';
import { readOurSource } from './check-contracts.ts';

/** Lists where a version differs from the one before it, and which change says so. */
export async function diffContracts(input: CommandInput): Promise<void> {
  const { output, optional } = input;
  const folder = apiFolderOf(input);
  const source = folder === null ? await readOurSource() : (await readApiFolder(folder, reserved())).source;
  const rows = differencesIn(source, optional('version'));
  output.list(rows, ['version', 'since', 'difference', 'change'], 'Nothing differs.');
}

function differencesIn(source: ApiSource, wanted: string | undefined) {
  // The last step leads to a version that is Next again until somebody changes it.
  const steps = apiSteps(source).slice(0, -1);
  const newer = steps.map((step) => step.newer.version);
  if (wanted !== undefined && !newer.some((known) => known === wanted))
    throw new CommandError(
      `There is nothing before ${wanted} to compare it with; --version takes ${newer.join(', ')}.`,
    );
  return steps
    .filter((step) => wanted === undefined || step.newer.version === wanted)
    .flatMap((step) =>
      step.differences.map((difference) => ({
        version: step.newer.version,
        since: step.older.version,
        difference,
        change: changeTouching(difference, step.changes ?? [])?.name,
      })),
    );
}
