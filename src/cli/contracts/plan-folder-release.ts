import { releaseInstant } from '@dateline/versions';
import { reserved } from '../../api/compose/reserved.ts';
import { readCheckedFolder } from '../../api/folder/freeze/read-checked-folder.ts';
import { planFolderRelease } from '../../api/folder/freeze/release-folder.ts';
import { inFolder } from '../../api/folder/locations/locate-problems.ts';
import type { ContractRelease } from './plan-contract-release.ts';

/** The release of an API folder. One that `contract check` complains about cannot be released. */
export async function planFolder(folder: string): Promise<ContractRelease> {
  await inFolder(folder, () => readCheckedFolder(folder, reserved()));
  const { frozen, newNext, deleted, steps } = await planFolderRelease(folder);
  return {
    root: folder,
    frozen,
    newHead: newNext,
    deleted,
    deployBefore: releaseInstant(frozen),
    steps,
    after: null,
  };
}
