import { type Scene, secretPrefix } from '../environments/environment.ts';
import { newCheckedSecret } from '../kernel/checked-secret.ts';
import { digestOf } from '../kernel/digest.ts';
import { isId, newId } from '../kernel/ids.ts';
import {
  insertClient,
  insertClientSecret,
  selectClient,
  selectClients,
  updateClientDisabled,
} from './store.ts';
import type { OAuthClient, OAuthClientId } from './types.ts';

const CLIENT_ID_PREFIX = 'cli';

export type NewClient = Omit<OAuthClient, 'id' | 'createdAt' | 'disabledAt'>;

export async function createClient(scene: Scene, input: NewClient): Promise<OAuthClient> {
  const now = scene.clock.now();
  const client: OAuthClient = {
    ...input,
    id: newId(CLIENT_ID_PREFIX, now),
    createdAt: now,
    disabledAt: null,
  };
  await insertClient(scene.session, client);
  return client;
}

export async function findClient(scene: Scene, id: string): Promise<OAuthClient | null> {
  return isId<'oauth-client'>(CLIENT_ID_PREFIX, id) ? selectClient(scene.session, id) : null;
}

/** Those of these clients that exist. */
export async function findClients(scene: Scene, ids: readonly OAuthClientId[]): Promise<OAuthClient[]> {
  return ids.length === 0 ? [] : selectClients(scene.session, ids);
}

export function newClientSecretValue(scene: Pick<Scene, 'name'>): string {
  return newCheckedSecret(secretPrefix(scene.name, 'cs'));
}

/** Stores a secret of a client. A client may have several, so that a new one is in use before the old one goes. */
export async function storeClientSecret(
  scene: Scene,
  input: { clientId: OAuthClientId; secretValue: string },
): Promise<void> {
  const now = scene.clock.now();
  await insertClientSecret(scene.session, {
    id: newId('sec', now),
    clientId: input.clientId,
    digest: digestOf(input.secretValue),
    createdAt: now,
  });
}

/** Every token of the client is inactive from the next look-up on. */
export async function disableClient(scene: Scene, id: OAuthClientId): Promise<boolean> {
  return updateClientDisabled(scene.session, id, scene.clock.now());
}

export async function enableClient(scene: Scene, id: OAuthClientId): Promise<boolean> {
  return updateClientDisabled(scene.session, id, null);
}
