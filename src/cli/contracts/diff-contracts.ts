import { type ApiSource, apiSteps, changeFinder } from '@dateline/versions';
import { reserved } from '../../api/compose/reserved.ts';
import { examineFolder } from '../../api/folder/examine-folder.ts';
import { problemText } from '../../api/folder/folder-problem.ts';
import { inFolder } from '../../api/folder/locations/locate-problems.ts';
import type { CommandInput } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { apiFolderOf } from '../input/api-folder.ts';
import type { Output } from '../output.ts';
import { readOurSource } from './check-contracts.ts';

/** Lists where a version differs from the one before it, and which change says so. */
export async function diffContracts(input: CommandInput): Promise<void> {
  const { output, optional } = input;
  const folder = apiFolderOf(input);
  const source = folder === null ? await readOurSource() : await readShownFolder(folder, output);
  show(differencesIn(source, optional('version')), output);
}

/** The differences of a folder, after something has changed its document. */
export async function listDifferences(folder: string, output: Output): Promise<void> {
  show(differencesIn(await readShownFolder(folder, output), undefined), output);
}

function show(rows: ReturnType<typeof differencesIn>, output: Output): void {
  output.list(rows, ['version', 'since', 'difference', 'change'], 'Nothing differs.');
}

/** A folder as far as it can be read: what is wrong with it is for `contract check` to say. */
async function readShownFolder(folder: string, output: Output): Promise<ApiSource> {
  const { source, problems } = await inFolder(folder, () => examineFolder(folder, reserved()));
  const [first] = problems;
  if (first) {
    const count = problems.length === 1 ? '1 problem' : `${problems.length.toLocaleString('en')} problems`;
    output.note(
      `There is more to say: "dateline contract check" names ${count}, such as ${problemText(first)}`,
    );
  }
  return source;
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
    .flatMap(({ older, newer, differences, changes }) => {
      const changeAt = changeFinder(changes ?? []);
      return differences.map((difference) => ({
        version: newer.version,
        since: older.version,
        difference,
        change: changeAt(difference)?.name,
      }));
    });
}
