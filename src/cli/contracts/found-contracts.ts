import { reserved } from '../../api/compose/reserved.ts';
import { requireServableNext } from '../../api/folder/examine-folder.ts';
import { foundAgain } from '../../api/folder/freeze/found-versions.ts';
import { inFolder } from '../../api/folder/locations/locate-problems.ts';
import type { CommandInput } from '../command.ts';
import { usageError } from '../command-error.ts';
import { apiFolderOf } from '../input/api-folder.ts';

export async function foundContracts(input: CommandInput): Promise<void> {
  const folder = apiFolderOf(input);
  if (folder === null) throw usageError('Name an API folder with --api, or run this in one.');
  const versions = await inFolder(folder, async () => {
    await requireServableNext(folder, reserved());
    return foundAgain(folder);
  });
  input.output.note(
    `${versions.join(' and ')} are now copies of Next. Run "dateline contract check", and commit them.`,
  );
}
