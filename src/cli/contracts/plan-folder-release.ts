import { releaseInstant } from '@dateline/versions';
import { reserved } from '../../api/compose/reserved.ts';
import { planFolderRelease } from '../../api/folder/freeze/release-folder.ts';
import { readApiFolder } from '../../api/folder/read-api-folder.ts';
import type { ContractRelease } from './plan-contract-release.ts';

/** The release of an API folder. One that cannot be served cannot be released either. */
export async function planFolder(folder: string): Promise<ContractRelease> {
  await readApiFolder(folder, reserved());
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
