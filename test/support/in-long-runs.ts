import { it } from 'vitest';
import { isFullMatrix } from './databases.ts';

/** For a test of many seconds: it runs in `npm run test:long`, and is counted as skipped in `npm test`. */
export const itInLongRuns = it.runIf(isFullMatrix);
