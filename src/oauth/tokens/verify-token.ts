import type { Environment } from '../../environments/environment.ts';
import { batchQueries } from '../../storage/batch-queries.ts';
import type { ActiveToken, InactiveToken } from '../types.ts';
import { createFirstUseRecorder } from './record-first-use.ts';
import { findTokensInOrder } from './store.ts';
import { tokenDigest } from './token-digest.ts';
import type { TokenRecord } from './token-record.ts';
import { inactive, isLive, toActiveToken } from './token-state.ts';

export type TokenVerifier = (tokenValue: string) => Promise<ActiveToken | InactiveToken>;

// Larger batches were no faster.
const BATCH_SIZE_MAX = 64;

/**
 * Checks whether a token is active, from the database at every call: nothing is cached, so a revocation
 * that was acknowledged on any node counts here. Concurrent checks are read together.
 */
export function createTokenVerifier(
  environment: Environment,
  onBatch: (size: number) => void,
): TokenVerifier {
  const lookUp = batchQueries<Buffer, TokenRecord | null>(environment.database, {
    kind: 'reads',
    run: (digests) => findTokensInOrder(environment.session, digests),
    sizeMax: BATCH_SIZE_MAX,
    onBatch,
  });
  const recordFirstUse = createFirstUseRecorder(environment);

  return async (tokenValue) => {
    const digest = tokenDigest(environment.name, tokenValue);
    if (digest === null) return inactive;
    const record = await lookUp(digest);
    if (record === null || !isLive(record, environment.clock.now())) return inactive;
    await recordFirstUse(record);
    return toActiveToken(record, environment.scopes);
  };
}
