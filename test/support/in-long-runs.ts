import { describe, it } from 'vitest';
import { isFullMatrix } from './databases.ts';

/** For a test of many seconds: it runs in `npm run test:long`, and is counted as skipped in `npm test`. */
export const itInLongRuns = it.runIf(isFullMatrix);

/** The same for a suite. */
export const describeInLongRuns = describe.runIf(isFullMatrix);
