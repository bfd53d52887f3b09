import { ApiError } from '../../errors/api-error.ts';
import type { TokenEndpointRequest } from '../../oauth/clients/authenticate-client.ts';
import type { Caller } from './handler.ts';

interface ClientFields {
  client_id?: string;
  client_secret?: string;
}

/** The client's credentials at the token endpoint: in the Authorization header, or in the form, never in both. */
export function readClientCredentials(form: ClientFields, caller: Caller): TokenEndpointRequest {
  const { address, authorization } = caller;
  if (authorization === undefined) {
    if (form.client_id === undefined)
      throw new ApiError('invalid_client', {
        detail: 'client_id is missing: send it in the form, or send HTTP Basic.',
      });
    return { clientId: form.client_id, clientSecret: form.client_secret ?? null, address };
  }
  // RFC 6749 §2.3: one authentication method per request.
  if (form.client_secret !== undefined)
    throw new ApiError('invalid_request', {
      detail: 'client_secret is in the form and in the Authorization header; send it once.',
    });
  const basic = readBasic(authorization);
  if (form.client_id !== undefined && form.client_id !== basic.clientId)
    throw new ApiError('invalid_request', {
      detail: 'client_id in the form is not the one in the Authorization header.',
    });
  return { ...basic, address };
}

/** RFC 7617, with both parts form-encoded as RFC 6749 §2.3.1 requires; our own ids and secrets need no encoding. */
function readBasic(authorization: string): { clientId: string; clientSecret: string } {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization) ?? [];
  const decoded = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon < 0) throw new ApiError('invalid_client');
  return {
    clientId: formDecode(decoded.slice(0, colon)),
    clientSecret: formDecode(decoded.slice(colon + 1)),
  };
}

function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new ApiError('invalid_client');
  }
}
