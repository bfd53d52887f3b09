import type { Environment } from '../../environments/environment.ts';
import { batchQueries } from '../../storage/batch-queries.ts';
import type { GrantId } from '../types.ts';
import { clearRepeatable } from './store.ts';
import type { TokenRecord } from './token-record.ts';

/**
 * Records the first use of a token that came from an authorization code: who uses it has received it, so the answer to the
 * code is not repeated from then on. Resolves when that is stored.
 */
export type FirstUseRecorder = (token: TokenRecord) => Promise<void>;

/** Writes once for a grant, in its first minute. All other uses cost a comparison. */
export function createFirstUseRecorder({ database, session, clock }: Environment): FirstUseRecorder {
  const clear = batchQueries<GrantId, GrantId>(database, {
    kind: 'writes',
    async run(ids) {
      await clearRepeatable(session, ids);
      return ids;
    },
  });
  return async ({ grantId, repeatableUntil }) => {
    if (repeatableUntil !== null && clock.now() < repeatableUntil) await clear(grantId);
  };
}
