import type { Environment } from '../../environments/environment.ts';
import { batchQueries } from '../../storage/batch-queries.ts';
import {
  type Admission,
  admitOpen,
  isAdmitted,
  type OpenClientRequest,
} from '../clients/authentication/admit-client.ts';
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
    const { caller, token } = await find(keyOf(environment, request, tokenValue));
    return { client: admitOpen(admission, request, caller), token };
  };
}

/**
 * The same on a standby. Null unless the client is let in, an access token is found, and `accept` makes something of the two: all else is
 * asked on the primary. So are refresh tokens, whose use ends them and waits for no standby.
 */
export type StandbyGate = <Accepted>(
  request: OpenClientRequest,
  tokenValue: string,
  accept: (client: CallingClient, token: TokenRecord) => Accepted | null,
) => Promise<Accepted | null>;

/** Null where no standbys are named: then nothing is done for them. */
export function createStandbyGate(environment: Environment, admission: Admission): StandbyGate | null {
  const { standbys, database } = environment;
  if (standbys.links.length === 0) return null;
  const find = standbys.lookUpBy<LookUpKey, LookedUp>({ connections: database.connections, run: lookUp });
  return (request, tokenValue, accept) =>
    find(keyOf(environment, request, tokenValue), ({ caller, token }) => {
      const isFound = caller !== null && token?.kind === 'access_token';
      return isFound && isAdmitted(admission, request, caller) ? accept(caller, token) : null;
    });
}

function keyOf({ name }: Environment, { clientId }: OpenClientRequest, tokenValue: string): LookUpKey {
  return { clientId, tokenDigest: tokenDigest(name, tokenValue) };
}
