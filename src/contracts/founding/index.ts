import type { Contract } from '../../versions/contract.ts';
import { contract as deprecated } from './2026-07.ts';
import { contract as current } from './2026-10.ts';

// The versions that were there when the engine was built, written by hand once. `dateline contract freeze --founding`
// turns them into the frozen files; when the founding period closes, this folder goes.
export const foundingContracts: readonly Contract[] = [deprecated, current];
