// Written by "dateline contract release": every step between neighbours, oldest first.
import type { WrittenChangeSet } from '@dateline/versions';
import { changeSet as from202610To202607 } from './2026-10-to-2026-07/index.ts';
import { changeSet as from202701To202610 } from './2027-01-to-2026-10/index.ts';

export const changeSets: readonly WrittenChangeSet[] = [from202610To202607, from202701To202610];
