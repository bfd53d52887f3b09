import type { Environment } from '../../environments/environment.ts';
import type { OAuthClient } from '../types.ts';
import { type Admission, admitOpen, type OpenClientRequest } from './admit-client.ts';
import { isClientId } from './clients.ts';
import { selectLiveClient } from './store.ts';

/** Authenticates the client that calls the token endpoint. */
export type ClientAuthenticator = (request: OpenClientRequest) => Promise<OAuthClient>;

export function createClientAuthenticator(
  environment: Environment,
  admission: Admission,
): ClientAuthenticator {
  return async (request) => {
    const found = isClientId(request.clientId)
      ? await selectLiveClient(environment.session, request.clientId)
      : null;
    return admitOpen(admission, request, found && { ...found, kind: found.client.kind }).client;
  };
}
