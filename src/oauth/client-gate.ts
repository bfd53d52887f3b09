import { type Environment, secretPrefix } from '../environments/environment.ts';
import { ApiError } from '../errors/api-error.ts';
import { isCheckedSecret } from '../kernel/checked-secret.ts';
import { digestOf, digestsEqual } from '../kernel/digest.ts';
import { createMicroBatch } from '../kernel/micro-batch.ts';
import { createThrottle, type Throttle } from '../kernel/throttle.ts';
import { StorageUnavailableError } from '../storage/storage-error.ts';
import { type CallingClient, type LookedUp, type LookUpKey, lookUp, type TokenRecord } from './store.ts';

/** A client that says who it is, and from where. */
export interface ClientRequest {
  clientId: string;
  clientSecret: string;
  /** Where the request comes from; asked for only where it fails. */
  address(): string;
}

export interface Admitted {
  client: CallingClient;
  /** The token it asks about, as it is stored; null if it is unknown. */
  token: TokenRecord | null;
}

/** Lets a client with the right secret in, and looks up the token it asks about in the same round trip. */
export type ClientGate = (request: ClientRequest, tokenValue?: string) => Promise<Admitted>;

// Larger batches were no faster; two in flight keep the database busy while the next one gathers.
const BATCH_SIZE_MAX = 64;
const BATCHES_IN_FLIGHT_MAX = 2;

const FAILURES_MAX = 20;
const WINDOW_SECONDS = 60;
const THROTTLED_KEYS_MAX = 100_000;

export function createClientGate(environment: Environment, onBatch: (size: number) => void): ClientGate {
  const { clock } = environment;
  const throttle = createThrottle({
    clock,
    failuresMax: FAILURES_MAX,
    windowSeconds: WINDOW_SECONDS,
    keysMax: THROTTLED_KEYS_MAX,
  });
  const prefixes = [secretPrefix(environment.name, 'at'), secretPrefix(environment.name, 'rt')];
  const find = createMicroBatch<LookUpKey, LookedUp>({
    run: (keys) => lookUp(environment.session, keys),
    sizeMax: BATCH_SIZE_MAX,
    inFlightMax: BATCHES_IN_FLIGHT_MAX,
    canBeOneKeysFault: (error) => !(error instanceof StorageUnavailableError),
    onBatch,
  });

  return async (request, tokenValue = '') => {
    const known = prefixes.some((prefix) => isCheckedSecret(prefix, tokenValue));
    const { caller, token } = await find({
      clientId: request.clientId,
      tokenDigest: known ? digestOf(tokenValue) : null,
    });
    const authentic = hasSecret(caller, digestOf(request.clientSecret));
    admit(throttle, request, authentic);
    return { client: caller as CallingClient, token };
  };
}

/** Whoever fails often from one place waits, even with the right secret: otherwise guessing would only be slower. */
function admit(throttle: Throttle, { clientId, address }: ClientRequest, authentic: boolean): void {
  if (authentic && throttle.isIdle()) return;
  const key = `${clientId} ${address()}`;
  const waitSeconds = throttle.waitSeconds(key);
  if (waitSeconds !== null)
    throw new ApiError('too_many_requests', { headers: { 'retry-after': String(waitSeconds) } });
  if (authentic) return;
  throttle.fail(key);
  throw new ApiError('invalid_client');
}

// Compared where there is no client or no secret, so that both refusals cost the same.
const NO_DIGEST = digestOf('');

function hasSecret(client: CallingClient | null, presented: Buffer): boolean {
  const known = client && client.secretDigests.length > 0 ? client.secretDigests : [NO_DIGEST];
  const matches = known.filter((digest) => digestsEqual(digest, presented));
  return client !== null && client.secretDigests.length > 0 && matches.length > 0;
}
