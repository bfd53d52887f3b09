import { type Scene, secretPrefix } from '../../environments/environment.ts';
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

export async function createClient(scene: Scene, input: NewClient): Promise<OAuthClient> {
  const now = scene.clock.now();
  const client: OAuthClient = {
    requiresPkce: true,
    idTokenAlgorithm: USUAL_ALGORITHM,
    ...input,
    id: newId(CLIENT_ID_PREFIX, now),
    createdAt: now,
    disabledAt: null,
  };
  await insertClient(scene.session, client);
  return client;
}

export async function findClient(scene: Scene, id: string): Promise<OAuthClient | null> {
  return isClientId(id) ? selectClient(scene.session, id) : null;
}

/** Skips the look-up for text that cannot be a client id. */
export function isClientId(id: string): id is OAuthClientId {
  return isId(CLIENT_ID_PREFIX, id);
}

/** Those of these clients that exist. */
export async function findClients(scene: Scene, ids: readonly OAuthClientId[]): Promise<OAuthClient[]> {
  return ids.length === 0 ? [] : selectClients(scene.session, ids);
}

export function newClientSecretValue(scene: Pick<Scene, 'name'>): string {
  return newCheckedSecret(secretPrefix(scene.name, 'cs'));
}

/** Stores a secret of a client. A client may have two, so that a new one is in use before the old one is revoked. */
export async function storeClientSecret(
  scene: Scene,
  input: { clientId: OAuthClientId; secretValue: string },
): Promise<ClientSecretId> {
  const now = scene.clock.now();
  const id: ClientSecretId = newId('sec', now);
  await insertClientSecret(scene.session, {
    id,
    clientId: input.clientId,
    digest: digestOf(input.secretValue),
    createdAt: now,
  });
  return id;
}
