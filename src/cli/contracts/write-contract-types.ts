import { TYPES_FOLDER } from '../../api/folder/folder-files.ts';
import { inFolder } from '../../api/folder/locations/locate-problems.ts';
import { readDocuments, writeTypes } from '../../api/folder/types/type-files.ts';
import type { CommandInput } from '../command.ts';
import { usageError } from '../command-error.ts';
import { apiFolderOf } from '../input/api-folder.ts';

/** Writes the types of an API folder's contracts, for its changes, its handlers and its configuration. */
export async function writeContractTypes(input: CommandInput): Promise<void> {
  const { output } = input;
  const folder = apiFolderOf(input);
  if (folder === null) throw usageError('Name an API folder with --api, or run this in one.');
  const { versions, changed } = await inFolder(folder, async () => {
    const documents = await readDocuments(folder);
    return { versions: documents.written.toReversed(), changed: writeTypes(folder, documents) };
  });
  if (output.json) return output.item({ folder: TYPES_FOLDER, versions, changed });
  output.note(
    changed.length === 0
      ? `${TYPES_FOLDER} is up to date, with the types of ${versions.join(', ')}.`
      : `${TYPES_FOLDER} has the types of ${versions.join(', ')}. Changed: ${changed.join(', ')}.`,
  );
}
