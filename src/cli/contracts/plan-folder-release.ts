import { releaseInstant } from '@dateline/versions';
import { reserved } from '../../compose/reserved.ts';
import { readOwnApi } from '../../own-api/read-own-api.ts';
import { planFolderRelease } from '../../own-api/release-folder.ts';
import type { ContractRelease } from './plan-contract-release.ts';

/** The release of an API folder. One that cannot be served cannot be released either. */
export async function planFolder(folder: string): Promise<ContractRelease> {
  await readOwnApi(folder, reserved());
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
