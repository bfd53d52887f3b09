import { ApiError } from '../../../errors/api-error.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { digestOf, digestsEqual, sha256Hex } from '../../../kernel/digest.ts';
import { createThrottle, networkOf, type Throttle } from '../../../kernel/throttle.ts';
import type { ClientKind } from '../../types.ts';
import type { NoteUse } from './secret-use.ts';

/** The credentials that a request came with. */
export interface ClientRequest {
  clientId: string;
  clientSecret: string;
  /** The caller's address; read only when authentication fails. */
  address(): string;
}

/** The same of a client that may be public: it has no secret, and sends its id alone (RFC 6749 §3.2.1). */
export interface OpenClientRequest extends Omit<ClientRequest, 'clientSecret'> {
  clientSecret: string | null;
}

/** The throttle that counts failures, and the record of used secrets. */
export interface Admission {
  throttle: Throttle;
  /** Called with each secret that was accepted. */
  noteUse: NoteUse;
}

/** Counts failures per client and address. */
export function createClientThrottle(clock: Clock): Throttle {
  return createThrottle({ clock, failuresMax: 20, windowSeconds: 60, keysMax: 100_000 });
}

/**
 * Authenticates a client by one of these secrets, and records which one was used; throws otherwise. Good credentials always pass:
 * whoever shares an address with a client could lock it out otherwise, by guessing in its name.
 */
export function admit<Found extends WithSecrets>(
  { throttle, noteUse }: Admission,
  request: ClientRequest,
  found: Found | null,
): Found {
  const match = matchingSecret(found?.secretDigests, request.clientSecret);
  if (found === null || match === null) throw refusal(throttle, request);
  noteUse(match);
  return found;
}

/** The same where public clients are let in. */
export function admitOpen<Found extends WithSecrets>(
  admission: Admission,
  request: OpenClientRequest,
  found: Found | null,
): Found {
  // Without a secret there is nothing to guess, so failures do not count: any web page could cause some.
  if (found?.kind === 'public' && request.clientSecret === null) return found;
  const { clientId, clientSecret, address } = request;
  return admit(admission, { clientId, clientSecret: clientSecret ?? '', address }, found);
}

/** True if `admitOpen` lets the client in. Counts and records nothing. */
export function isAdmitted<Found extends WithSecrets>(request: OpenClientRequest, found: Found): boolean {
  const { clientSecret } = request;
  if (found.kind === 'public' && clientSecret === null) return true;
  return matchingSecret(found.secretDigests, clientSecret ?? '') !== null;
}

/** A client, known or not yet authenticated, with the digests of its live secrets. */
interface WithSecrets {
  kind: ClientKind;
  secretDigests: readonly Uint8Array[];
}

/** After many failures a guesser has to wait before the next one is even counted. */
function refusal(throttle: Throttle, { clientId, address }: ClientRequest): ApiError {
  // A digest bounds the length of the key, however long the id is.
  const key = sha256Hex(`${clientId} ${networkOf(address())}`);
  const waitSeconds = throttle.waitSeconds(key);
  if (waitSeconds !== null)
    return new ApiError('too_many_requests', { headers: { 'retry-after': String(waitSeconds) } });
  throttle.fail(key);
  return new ApiError('invalid_client');
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
