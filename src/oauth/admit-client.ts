import { ApiError } from '../errors/api-error.ts';
import type { Clock } from '../kernel/clock.ts';
import { digestOf, digestsEqual } from '../kernel/digest.ts';
import { createThrottle, type Throttle } from '../kernel/throttle.ts';

/** A client that says who it is, and from where. */
export interface ClientRequest {
  clientId: string;
  clientSecret: string;
  /** Where the request comes from; asked for only where it fails. */
  address(): string;
}

/** Counts what fails, per client and address: guessing is slow, and a good secret from elsewhere still works. */
export function createClientThrottle(clock: Clock): Throttle {
  return createThrottle({ clock, failuresMax: 20, windowSeconds: 60, keysMax: 100_000 });
}

/** Whoever fails often from one place waits, even with the right secret: otherwise guessing would only be slower. */
export function admit(
  throttle: Throttle,
  { clientId, address }: Pick<ClientRequest, 'clientId' | 'address'>,
  authentic: boolean,
): void {
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

/** Whether a secret is one of these. Of a client that is unknown there are none. */
export function hasSecret(digests: readonly Uint8Array[] | undefined, secretValue: string): boolean {
  const presented = digestOf(secretValue);
  const known = digests && digests.length > 0 ? digests : [NO_DIGEST];
  const matches = known.filter((digest) => digestsEqual(digest, presented));
  return digests !== undefined && digests.length > 0 && matches.length > 0;
}
