import type { Environment } from '../../environments/environment.ts';
import { batchQueries } from '../../storage/batch-queries.ts';
import { type Admission, admitOpen, type OpenClientRequest } from '../clients/authentication/admit-client.ts';
import { type CallingClient, type LookedUp, type LookUpKey, lookUp } from './store.ts';
import { tokenDigest } from './token-digest.ts';
import type { TokenRecord } from './token-record.ts';

export interface Admitted {
  client: CallingClient;
  /** The token it asks about, as it is stored; null if it is unknown. */
  token: TokenRecord | null;
}

/**
 * Authenticates a client, and looks up the token it asks about in the same round trip. A public client passes by its id
 * alone: who is not to let it in requires a secret first, as the type `ClientRequest` does.
 */
export type ClientGate = (request: OpenClientRequest, tokenValue?: string) => Promise<Admitted>;

export function createClientGate(
  environment: Environment,
  admission: Admission,
  onBatch: (size: number) => void,
): ClientGate {
  const find = batchQueries<LookUpKey, LookedUp>(environment.database, {
    kind: 'reads',
    run: (keys) => lookUp(environment.session, keys),
    onBatch,
  });

  return async (request, tokenValue = '') => {
    const { caller, token } = await find({
      clientId: request.clientId,
      tokenDigest: tokenDigest(environment.name, tokenValue),
    });
    return { client: admitOpen(admission, request, caller), token };
  };
}
