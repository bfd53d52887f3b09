import { type Environment, secretPrefix } from '../../environments/environment.ts';
import { isCheckedSecret } from '../../kernel/checked-secret.ts';
import { digestOf } from '../../kernel/digest.ts';
import { createMicroBatch } from '../../kernel/micro-batch.ts';
import { StorageUnavailableError } from '../../storage/storage-error.ts';
import type { ActiveToken, InactiveToken } from '../types.ts';
import { isLive } from './is-live.ts';
import { findTokens, type TokenRecord } from './store.ts';
import { inactive, toActiveToken } from './token-facts.ts';

export type TokenVerifier = (tokenValue: string) => Promise<ActiveToken | InactiveToken>;

// Larger batches were no faster; two in flight keep the database busy while the next one gathers.
const BATCH_SIZE_MAX = 64;
const BATCHES_IN_FLIGHT_MAX = 2;

/**
 * Says of a token whether it is active, from the database at every call: nothing is cached, so a revocation
 * that was acknowledged on any node counts here. Tokens that are asked for together are read together.
 */
export function createTokenVerifier(
  environment: Environment,
  onBatch: (size: number) => void,
): TokenVerifier {
  const prefixes = [secretPrefix(environment.name, 'at'), secretPrefix(environment.name, 'rt')];
  const lookUp = createMicroBatch<Buffer, TokenRecord | null>({
    run: (digests) => findInOrder(environment, digests),
    sizeMax: BATCH_SIZE_MAX,
    inFlightMax: BATCHES_IN_FLIGHT_MAX,
    canBeOneKeysFault: (error) => !(error instanceof StorageUnavailableError),
    onBatch,
  });

  return async (tokenValue) => {
    if (!prefixes.some((prefix) => isCheckedSecret(prefix, tokenValue))) return inactive;
    const record = await lookUp(digestOf(tokenValue));
    return record && isLive(record, environment.clock.now()) ? toActiveToken(record) : inactive;
  };
}

async function findInOrder(
  environment: Environment,
  digests: readonly Buffer[],
): Promise<readonly (TokenRecord | null)[]> {
  const records = await findTokens(environment.session, digests);
  const byDigest = new Map(records.map((record) => [Buffer.from(record.digest).toString('hex'), record]));
  return digests.map((digest) => byDigest.get(digest.toString('hex')) ?? null);
}
