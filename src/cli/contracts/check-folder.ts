import { type FrozenState, slowPatterns } from '@dateline/versions';
import { reserved } from '../../api/compose/reserved.ts';
import { FROZEN_FOLDER } from '../../api/folder/folder-files.ts';
import { problemText } from '../../api/folder/folder-problem.ts';
import { historyGap } from '../../api/folder/freeze/frozen-files.ts';
import { readCheckedFolder } from '../../api/folder/freeze/read-checked-folder.ts';
import { inFolder } from '../../api/folder/locations/locate-problems.ts';
import type { Output } from '../output.ts';
import { listVersions } from './list-versions.ts';

/** Names everything that is wrong with an API folder; where nothing is, what it holds. */
export async function checkFolder(folder: string, output: Output): Promise<void> {
  const { read, past, warnings } = await inFolder(folder, () => readCheckedFolder(folder, reserved()));
  const { source, config, next, frozenState: frozen } = read;
  const gap = historyGap({ root: folder, folder: FROZEN_FOLDER }, past);
  if (gap !== null) output.note(gap);
  for (const warning of frozenWarnings(frozen)) output.note(warning);
  for (const warning of warnings) output.note(`Warning: ${problemText(warning)}`);
  output.note(`${config.title}: ${next} is Next.`);
  listVersions(output, frozen, source);
}

/** Warnings, not errors: a frozen contract cannot be changed, and is served in a safe way. */
function frozenWarnings({ documents }: FrozenState): string[] {
  return Object.entries(documents).flatMap(([version, document]) =>
    slowPatterns(document).map(
      ({ path, pattern, handling }) =>
        `Warning: ${FROZEN_FOLDER}/${version}/contract.json${path}: the pattern ${pattern} can take exponential time; ${handling}.`,
    ),
  );
}
