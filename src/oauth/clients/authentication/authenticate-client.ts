import type { Environment } from '../../../environments/environment.ts';
import { batchQueries } from '../../../storage/batch-queries.ts';
import type { OAuthClientId } from '../../types.ts';
import { isClientId } from '../../types.ts';
import { type Admission, admitOpen, type OpenClientRequest } from './admit-client.ts';
import { type LiveClient, selectLiveClients } from './store.ts';

/** Authenticates the client that calls the token endpoint. */
export type ClientAuthenticator = (request: OpenClientRequest) => Promise<LiveClient>;

export function createClientAuthenticator(
  environment: Environment,
  admission: Admission,
  onBatch: (size: number) => void,
): ClientAuthenticator {
  const find = batchQueries<OAuthClientId, LiveClient | null>(environment.database, {
    kind: 'reads',
    run: (ids) => selectLiveClients(environment.session, ids),
    onBatch,
  });
  return async (request) => {
    const found = isClientId(request.clientId) ? await find(request.clientId) : null;
    return admitOpen(admission, request, found);
  };
}
