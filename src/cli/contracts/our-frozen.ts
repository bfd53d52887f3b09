import type { FreezeWords } from '@dateline/versions';
import type { FrozenLocation } from '../../api/folder/freeze/frozen-files.ts';

/** Where a clone of this repository keeps its frozen versions. */
export const frozenIn = (root: string): FrozenLocation => ({ root, folder: 'src/contracts/frozen' });

export const ourWords: FreezeWords = {
  next: 'src/contracts/head/',
  freeze: 'dateline contract',
  recordTape: 'npm run tape',
};

/** Maintainers' commands work on the repository they are run in. */
export const ourFrozen = frozenIn('.');
