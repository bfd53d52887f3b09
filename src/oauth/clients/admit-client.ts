import { ApiError } from '../../errors/api-error.ts';
import type { Clock } from '../../kernel/clock.ts';
import { digestOf, digestsEqual, sha256Hex } from '../../kernel/digest.ts';
import { createThrottle, networkOf, type Throttle } from '../../kernel/throttle.ts';
import type { NoteUse } from './secret-use.ts';

/** The credentials that a request came with. */
export interface ClientRequest {
  clientId: string;
  clientSecret: string;
  /** The caller's address; read only when authentication fails. */
  address(): string;
}

/** What a client is checked against besides its secret. */
export interface Admission {
  throttle: Throttle;
  /** Called with each secret that was accepted. */
  noteUse: NoteUse;
}

/** Counts failures per client and address: guessing is slow, and a correct secret from elsewhere still works. */
export function createClientThrottle(clock: Clock): Throttle {
  return createThrottle({ clock, failuresMax: 20, windowSeconds: 60, keysMax: 100_000 });
}

/** Authenticates a client by one of these secrets, and records which one was used; throws otherwise. */
export function admit<Found extends WithSecrets>(
  { throttle, noteUse }: Admission,
  request: ClientRequest,
  found: Found | null,
): Found {
  const match = matchingSecret(found?.secretDigests, request.clientSecret);
  requireAuthentic(throttle, request, match !== null);
  // An unknown client has no secret that could match, and was refused above.
  if (found === null || match === null) throw new ApiError('invalid_client');
  noteUse(match);
  return found;
}

/** A client, known or not yet authenticated, with the digests of its live secrets. */
interface WithSecrets {
  secretDigests: readonly Uint8Array[];
}

/** After many failures from one network even the right secret is rejected: otherwise guessing would only be slower. */
function requireAuthentic(
  throttle: Throttle,
  { clientId, address }: ClientRequest,
  authentic: boolean,
): void {
  if (authentic && throttle.isIdle()) return;
  // A digest bounds the length of the key, however long the id is.
  const key = sha256Hex(`${clientId} ${networkOf(address())}`);
  const waitSeconds = throttle.waitSeconds(key);
  if (waitSeconds !== null)
    throw new ApiError('too_many_requests', { headers: { 'retry-after': String(waitSeconds) } });
  if (authentic) return;
  throttle.fail(key);
  throw new ApiError('invalid_client');
}

// Compared where there is no client or no secret, so that both refusals cost the same.
const NO_DIGEST = digestOf('');

/** The digest of this secret, if it is one of these. An unknown client has none. */
export function matchingSecret(
  digests: readonly Uint8Array[] | undefined,
  secretValue: string,
): Uint8Array | null {
  const presented = digestOf(secretValue);
  const known = digests && digests.length > 0 ? digests : [NO_DIGEST];
  const [match = null] = known.filter((digest) => digestsEqual(digest, presented));
  return match === NO_DIGEST ? null : match;
}
