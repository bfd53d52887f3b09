import type { Environment } from '../environments/environment.ts';
import type { Throttle } from '../kernel/throttle.ts';
import { admit, type ClientRequest, hasSecret } from './admit-client.ts';
import { selectLiveClient } from './store.ts';
import type { OAuthClient } from './types.ts';

/** Who calls the token endpoint. A public client has no secret and says only its id (RFC 6749 §3.2.1). */
export interface TokenEndpointRequest extends Omit<ClientRequest, 'clientSecret'> {
  clientSecret: string | null;
}

export type ClientAuthenticator = (request: TokenEndpointRequest) => Promise<OAuthClient>;

export function createClientAuthenticator(environment: Environment, throttle: Throttle): ClientAuthenticator {
  return async (request) => {
    const found = await selectLiveClient(environment.session, request.clientId);
    const isPublic = found?.client.kind === 'public' && request.clientSecret === null;
    const authentic = isPublic || hasSecret(found?.secretDigests, request.clientSecret ?? '');
    admit(throttle, request, authentic);
    return found?.client as OAuthClient;
  };
}
