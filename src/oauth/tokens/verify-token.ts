import type { Environment } from '../../environments/environment.ts';
import { batchQueries } from '../../storage/batch-queries.ts';
import type { ActiveToken, InactiveToken } from '../types.ts';
import { createFirstUseRecorder } from './record-first-use.ts';
import { findTokensInOrder, findTokensInUse, type TokenInUse } from './store.ts';
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
  const lookUp = batchQueries<Buffer, TokenInUse | null>(environment.database, {
    kind: 'reads',
    run: (digests) => findTokensInUse(environment.session, digests),
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

  async function findLive(digest: Buffer, suffices: Suffices | undefined): Promise<TokenInUse | null> {
    const accept = (record: TokenRecord | null): TokenRecord | null => {
      const live = liveOnly(record);
      return live && suffices?.(toActiveToken(live, environment.scopes)) ? live : null;
    };
    const near = suffices ? await lookUpOnStandby(digest, accept) : null;
    if (near) return { token: near };
    const found = await lookUp(digest);
    return found && liveOnly(found.token) && found;
  }

  return async (tokenValue, suffices) => {
    const digest = tokenDigest(environment.name, tokenValue);
    const found = digest && (await findLive(digest, suffices));
    if (found === null) return inactive;
    await recordFirstUse(found.token);
    const active = toActiveToken(found.token, environment.scopes);
    if (found.signingKeys !== undefined) active.signingKeys = found.signingKeys;
    return active;
  };
}
