import type { FrozenState, PassageWatch } from '@dateline/versions';
import { present } from '../../../kernel/presence.ts';
import { errorProblems } from '../errors/error-problems.ts';
import { errorTapeProblems } from '../errors/error-tape.ts';
import { exampleProblems, exampleWarnings } from '../folder-contract.ts';
import { FROZEN_FOLDER, NEXT_FILE, TYPES_FOLDER } from '../folder-files.ts';
import { FolderError, type FolderProblem } from '../folder-problem.ts';
import { proveChanges } from '../prove-changes.ts';
import { type ApiFolder, readApiFolder } from '../read-api-folder.ts';
import type { Reserved } from '../reserved.ts';
import { areTypesStale } from '../types/type-files.ts';
import { folderTapeProblems } from './folder-tape.ts';
import { readFrozenHistory } from './frozen-files.ts';

export interface CheckedFolder {
  read: ApiFolder;
  past: readonly FrozenState[];
  /** What is served all the same. */
  warnings: readonly FolderProblem[];
}

/** A folder that can be served and released. Throws a `FolderError` otherwise. */
export async function readCheckedFolder(
  folder: string,
  reserved: Reserved,
  watch?: PassageWatch,
): Promise<CheckedFolder> {
  const past = readFrozenHistory({ root: folder, folder: FROZEN_FOLDER });
  const read = await readApiFolder(folder, reserved, { past, watch });
  const { source, next, api, frozenState: frozen } = read;
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
    ...(areTypesStale(folder, source) ? [STALE_TYPES] : []),
  ];
  return { read, past, warnings };
}

const STALE_TYPES = {
  file: TYPES_FOLDER,
  reason: 'it does not say what the contracts say; run "dateline contract types"',
};
