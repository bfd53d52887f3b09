import type { Environment } from '../../environments/environment.ts';
import type { OAuthClient } from '../types.ts';
import { type Admission, admit, type ClientRequest } from './admit-client.ts';
import { isClientId } from './clients.ts';
import { selectLiveClient } from './store.ts';

/** The client that calls the token endpoint. A public client has no secret and sends only its id (RFC 6749 §3.2.1). */
export interface TokenEndpointRequest extends Omit<ClientRequest, 'clientSecret'> {
  clientSecret: string | null;
}

export type ClientAuthenticator = (request: TokenEndpointRequest) => Promise<OAuthClient>;

export function createClientAuthenticator(
  environment: Environment,
  admission: Admission,
): ClientAuthenticator {
  return async (request) => {
    const found = isClientId(request.clientId)
      ? await selectLiveClient(environment.session, request.clientId)
      : null;
    // Without a secret there is nothing to guess, so failures do not count: any web page could cause some.
    if (found?.client.kind === 'public' && request.clientSecret === null) return found.client;
    return admit(admission, { ...request, clientSecret: request.clientSecret ?? '' }, found).client;
  };
}
