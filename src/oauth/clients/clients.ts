import { type Context, secretPrefix } from '../../environments/environment.ts';
import { newCheckedSecret } from '../../kernel/checked-secret.ts';
import { digestOf } from '../../kernel/digest.ts';
import { isId, newId } from '../../kernel/ids.ts';
import { type ClientSecretId, type OAuthClient, type OAuthClientId, USUAL_ALGORITHM } from '../types.ts';
import { insertClient, insertClientSecret, selectClient, selectClients } from './store.ts';

const CLIENT_ID_PREFIX = 'cli';

type Chosen = 'requiresPkce' | 'idTokenAlgorithm';

/** PKCE is required, and id_tokens are signed as usual, unless it says otherwise. */
export type NewClient = Omit<OAuthClient, 'id' | 'createdAt' | 'disabledAt' | Chosen> &
  Partial<Pick<OAuthClient, Chosen>>;

export async function createClient(context: Context, input: NewClient): Promise<OAuthClient> {
  const now = context.clock.now();
  const client: OAuthClient = {
    requiresPkce: true,
    idTokenAlgorithm: USUAL_ALGORITHM,
    ...input,
    id: newId(CLIENT_ID_PREFIX, now),
    createdAt: now,
    disabledAt: null,
  };
  await insertClient(context.session, client);
  return client;
}

export async function findClient(context: Context, id: string): Promise<OAuthClient | null> {
  return isClientId(id) ? selectClient(context.session, id) : null;
}

/** Skips the look-up for text that cannot be a client id. */
export function isClientId(id: string): id is OAuthClientId {
  return isId(CLIENT_ID_PREFIX, id);
}

/** Those of these clients that exist. */
export async function findClients(context: Context, ids: readonly OAuthClientId[]): Promise<OAuthClient[]> {
  return ids.length === 0 ? [] : selectClients(context.session, ids);
}

export function newClientSecretValue(context: Pick<Context, 'name'>): string {
  return newCheckedSecret(secretPrefix(context.name, 'cs'));
}

/** Stores a secret of a client. A client may have two, so that a new one is in use before the old one is revoked. */
export async function storeClientSecret(
  context: Context,
  input: { clientId: OAuthClientId; secretValue: string },
): Promise<ClientSecretId> {
  const now = context.clock.now();
  const id: ClientSecretId = newId('sec', now);
  await insertClientSecret(context.session, {
    id,
    clientId: input.clientId,
    digest: digestOf(input.secretValue),
    createdAt: now,
  });
  return id;
}
