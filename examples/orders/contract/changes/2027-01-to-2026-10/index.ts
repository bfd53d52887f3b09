import type { Change } from '@dateline/versions';
import { nameTheReasonOfConflicts } from './name-the-reason-of-conflicts.ts';
import { replaceItemWithLines } from './replace-item-with-lines.ts';

export const changes: readonly Change[] = [replaceItemWithLines, nameTheReasonOfConflicts];
