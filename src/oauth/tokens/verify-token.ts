import type { Environment } from '../../environments/environment.ts';
import { batchQueries } from '../../storage/batch-queries.ts';
import type { ActiveToken, InactiveToken } from '../types.ts';
import { createFirstUseRecorder } from './record-first-use.ts';
import { findTokensInOrder } from './store.ts';
import { tokenDigest } from './token-digest.ts';
import type { TokenRecord } from './token-record.ts';
import { inactive, isLive, toActiveToken } from './token-state.ts';

type Suffices = (token: ActiveToken) => boolean;

/** With `suffices`, a token of which that is true may be read from a standby; what is refused is asked on the primary. */
export type TokenVerifier = (tokenValue: string, suffices?: Suffices) => Promise<ActiveToken | InactiveToken>;

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
  const lookUpOnStandby = environment.standbys.lookUpBy<Buffer, TokenRecord | null>({
    connections: environment.database.connections,
    run: findTokensInOrder,
    sizeMax: BATCH_SIZE_MAX,
  });
  const recordFirstUse = createFirstUseRecorder(environment);

  function liveOnly(record: TokenRecord | null): TokenRecord | null {
    return record !== null && isLive(record, environment.clock.now()) ? record : null;
  }

  async function findLive(digest: Buffer, suffices: Suffices | undefined): Promise<TokenRecord | null> {
    const accept = (record: TokenRecord | null): TokenRecord | null => {
      const live = liveOnly(record);
      return live && suffices?.(toActiveToken(live, environment.scopes)) ? live : null;
    };
    const near = suffices ? await lookUpOnStandby(digest, accept) : null;
    return near ?? liveOnly(await lookUp(digest));
  }

  return async (tokenValue, suffices) => {
    const digest = tokenDigest(environment.name, tokenValue);
    const record = digest && (await findLive(digest, suffices));
    if (record === null) return inactive;
    await recordFirstUse(record);
    return toActiveToken(record, environment.scopes);
  };
}
