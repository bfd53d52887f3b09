import { ApiError } from '../../errors/api-error.ts';
import type { ClientRequest, OpenClientRequest } from '../../oauth/clients/authentication/admit-client.ts';
import type { Caller } from './handler.ts';

interface ClientFields {
  client_id?: string;
  client_secret?: string;
}

/** Where a client's credentials may be: the header is undefined where it is not looked at. */
type Credentials = Pick<Caller, 'address' | 'authorization' | 'named'>;

/** A client's credentials: in the Authorization header, or in the form, never in both. A public client sends its id alone. */
export function readClientCredentials(
  form: ClientFields,
  { address, authorization, named }: Credentials,
): OpenClientRequest {
  if (authorization === undefined) {
    if (form.client_id === undefined)
      throw new ApiError('invalid_client', {
        detail: 'client_id is missing: send it in the form, or use HTTP Basic.',
      });
    named(form.client_id);
    return { clientId: form.client_id, clientSecret: form.client_secret ?? null, address };
  }
  // RFC 6749 §2.3: one authentication method per request.
  if (form.client_secret !== undefined)
    throw new ApiError('invalid_request', {
      detail: isBasic(authorization)
        ? 'client_secret is in the form and in the Authorization header; send it once.'
        : 'client_secret is in the form, and the Authorization header is not HTTP Basic; send one of them.',
    });
  const basic = readBasic(authorization);
  if (form.client_id !== undefined && form.client_id !== basic.clientId)
    throw new ApiError('invalid_request', {
      detail: 'client_id in the form differs from the one in the Authorization header.',
    });
  named(basic.clientId);
  return { ...basic, address };
}

/** The same where a client needs a secret, so that public clients are refused. */
export function readSecretCredentials(form: ClientFields, caller: Credentials): ClientRequest {
  const { clientId, clientSecret, address } = readClientCredentials(form, caller);
  if (clientSecret === null)
    throw new ApiError('invalid_client', {
      detail: 'client_secret is missing: send it in the form, or use HTTP Basic.',
    });
  return { clientId, clientSecret, address };
}

/** RFC 7617, with both parts form-encoded as RFC 6749 §2.3.1 requires; our own ids and secrets need no encoding. */
function readBasic(authorization: string): { clientId: string; clientSecret: string } {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization) ?? [];
  const decoded = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  const clientId = formDecode(decoded.slice(0, Math.max(colon, 0)));
  // RFC 6749, appendix A: an id is printable ASCII. PostgreSQL cannot look up NUL.
  if (colon < 0 || !/^[ -~]*$/.test(clientId)) throw new ApiError('invalid_client');
  return { clientId, clientSecret: formDecode(decoded.slice(colon + 1)) };
}

function isBasic(authorization: string): boolean {
  return /^Basic(?: |$)/i.test(authorization);
}

function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new ApiError('invalid_client');
  }
}
