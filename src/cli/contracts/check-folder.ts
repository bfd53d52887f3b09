import { type FrozenState, slowPatterns } from '@dateline/versions';
import { reserved } from '../../api/compose/reserved.ts';
import { errorProblems } from '../../api/folder/errors/error-problems.ts';
import { errorTapeProblems } from '../../api/folder/errors/error-tape.ts';
import { exampleProblems, exampleWarnings } from '../../api/folder/folder-contract.ts';
import { FROZEN_FOLDER, NEXT_FILE, TYPES_FOLDER } from '../../api/folder/folder-files.ts';
import { FolderError, problemText } from '../../api/folder/folder-problem.ts';
import { folderTapeProblems } from '../../api/folder/freeze/folder-tape.ts';
import { historyGap, readFrozenHistory } from '../../api/folder/freeze/frozen-files.ts';
import { inFolder } from '../../api/folder/locations/locate-problems.ts';
import { proveChanges } from '../../api/folder/prove-changes.ts';
import { readApiFolder } from '../../api/folder/read-api-folder.ts';
import { areTypesStale } from '../../api/folder/types/type-files.ts';
import { present } from '../../kernel/presence.ts';
import type { Output } from '../output.ts';
import { listVersions } from './list-versions.ts';

/** Names everything that is wrong with an API folder; where nothing is, what it holds. */
export async function checkFolder(folder: string, output: Output): Promise<void> {
  const { source, config, next, frozen, past, warnings } = await inFolder(folder, () =>
    readCheckedFolder(folder),
  );
  const gap = historyGap({ root: folder, folder: FROZEN_FOLDER }, past);
  if (gap !== null) output.note(gap);
  for (const warning of frozenWarnings(frozen)) output.note(warning);
  for (const warning of warnings) output.note(`Warning: ${problemText(warning)}`);
  output.note(`${config.title}: ${next} is Next.`);
  listVersions(output, frozen, source);
}

/** A folder that can be served and released. Throws a `FolderError` otherwise. */
export async function readCheckedFolder(folder: string) {
  const past = readFrozenHistory({ root: folder, folder: FROZEN_FOLDER });
  const read = await readApiFolder(folder, reserved(), past);
  const { source, config, next, api, frozenState: frozen } = read;
  const replayed = Object.keys(frozen.tapes).flatMap((version) => {
    const tape = present(frozen.tapes[version], version);
    const file = `${FROZEN_FOLDER}/${version}/tape.json`;
    return [...folderTapeProblems(tape, source, file), ...errorTapeProblems(tape, read, file)];
  });
  const proof = proveChanges(source, next);
  const { contract, document } = present(api.get(next), next);
  const problems = [
    ...exampleProblems(contract, NEXT_FILE),
    ...errorProblems(read),
    ...replayed,
    ...proof.problems,
  ];
  if (problems.length > 0) throw new FolderError(problems);
  const warnings = [
    ...exampleWarnings(contract, document, NEXT_FILE),
    ...proof.warnings,
    ...(areTypesStale(folder, read.source) ? [STALE_TYPES] : []),
  ];
  return { source, config, next, frozen, past, warnings };
}

const STALE_TYPES = {
  file: TYPES_FOLDER,
  reason: 'it does not say what the contracts say; run "dateline contract types"',
};

/** Warnings, not errors: a frozen contract cannot be changed, and is served in a safe way. */
function frozenWarnings({ documents }: FrozenState): string[] {
  return Object.entries(documents).flatMap(([version, document]) =>
    slowPatterns(document).map(
      ({ path, pattern, handling }) =>
        `Warning: ${FROZEN_FOLDER}/${version}/contract.json${path}: the pattern ${pattern} can take exponential time; ${handling}.`,
    ),
  );
}
