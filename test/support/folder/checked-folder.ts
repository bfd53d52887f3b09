import { reserved } from '../../../src/api/compose/reserved.ts';
import type { FolderConfig } from '../../../src/api/folder/config-file.ts';
import { readCheckedFolder } from '../../../src/api/folder/freeze/read-checked-folder.ts';
import type { ApiFolder } from '../../../src/api/folder/read-api-folder.ts';

/** A folder that `contract check` finds nothing wrong with. */
export async function checkedFolder(folder: string): Promise<{
  config: FolderConfig;
  next: ApiFolder['next'];
  frozen: ApiFolder['frozenState'];
}> {
  const { read } = await readCheckedFolder(folder, reserved());
  return { config: read.config, next: read.next, frozen: read.frozenState };
}
