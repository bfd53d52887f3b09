import { describe, it } from 'vitest';
import { isFullMatrix } from '../database/databases.ts';

/** For a test of many seconds: it runs in `npm run test:long`, and is counted as skipped in `npm test`. */
export const itInLongRuns = it.runIf(isFullMatrix);

/** The whole list in long runs; in `npm test` its first items, where the others differ only in their set-up. */
export function firstOf<Item>(items: readonly Item[], count: number): Item[] {
  return items.slice(0, isFullMatrix ? items.length : count);
}

/** The same for a suite. */
export const describeInLongRuns = describe.runIf(isFullMatrix);
