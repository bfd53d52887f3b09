import { recordAudit } from '../../audit/audit-log.ts';
import type { Actor } from '../../audit/types.ts';
import { type Scene, secretPrefix } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { createOrganization } from '../../identity/organizations.ts';
import { isCheckedSecret, newCheckedSecret } from '../../kernel/checked-secret.ts';
import { digestOf } from '../../kernel/digest.ts';
import type { Scope } from '../scopes/scopes.ts';
import type { ClientKind, GrantType, OAuthClient } from '../types.ts';
import { changeClient, deleteClient } from './administer-clients.ts';
import { matchingSecret } from './admit-client.ts';
import { issueSecret } from './client-secrets.ts';
import { problemOf } from './client-terms.ts';
import { createClient } from './clients.ts';
import {
  type AuthMethod,
  insertRegistration,
  lockRegistration,
  type StoredRegistration,
  selectLiveClient,
  updateRegistration,
} from './store.ts';

/** Client metadata (RFC 7591 §2), with our defaults for what is missing. */
export interface ClientMetadata {
  name: string;
  authMethod: AuthMethod;
  allowedGrants: readonly GrantType[];
  scopes: readonly Scope[];
  redirectUris: readonly string[];
}

export interface Registered extends StoredRegistration {
  /** Both are shown now and never again. A public client has no secret. */
  clientSecretValue: string | null;
  registrationTokenValue: string;
}

/** A client registers itself, in an organization of its own. Without an operator's key it is its own actor. */
export async function registerClient(
  scene: Scene,
  metadata: ClientMetadata,
  operator: Actor | null,
): Promise<Registered> {
  const terms = termsOf(metadata);
  return scene.transaction(async (inside) => {
    const organization = await createOrganization(inside, {
      name: metadata.name,
      selfRegistered: operator === null,
    });
    const client = await createClient(inside, {
      ...terms,
      name: metadata.name,
      organizationId: organization.id,
    });
    const secret = client.kind === 'public' ? null : await issueSecret(inside, client.id);
    const registrationTokenValue = await storeRegistration(inside, client, metadata.authMethod);
    await writeDown(inside, 'client.registered', client, operator);
    return {
      client,
      authMethod: metadata.authMethod,
      clientSecretValue: secret?.secretValue ?? null,
      registrationTokenValue,
    };
  });
}

/** The registration with this access token, if it belongs to this client. Inside a transaction it is locked. */
export async function findRegistration(
  scene: Scene,
  clientId: string,
  registrationTokenValue: string,
): Promise<StoredRegistration | null> {
  if (!isCheckedSecret(secretPrefix(scene.name, 'ra'), registrationTokenValue)) return null;
  const found = await lockRegistration(scene.session, digestOf(registrationTokenValue));
  return found?.client.id === clientId ? found : null;
}

/** Replaces all metadata of a client (RFC 7592 §2.2). Its secret stays. */
export async function replaceMetadata(
  scene: Scene,
  registration: StoredRegistration,
  metadata: ClientMetadata,
): Promise<StoredRegistration> {
  const { authMethod, name } = metadata;
  const { kind, ...terms } = termsOf(metadata);
  if (kind !== registration.client.kind)
    throw new ApiError('invalid_client_metadata', {
      detail: 'A client that has a secret keeps it, and one that has none cannot get one; register anew.',
    });
  return scene.transaction(async (inside) => {
    const client = await changeClient(inside, registration.client.id, { ...terms, name });
    await updateRegistration(inside.session, client.id, authMethod);
    await writeDown(inside, 'client.updated', client, null);
    return { client, authMethod };
  });
}

export async function endRegistration(scene: Scene, { client }: StoredRegistration): Promise<void> {
  await scene.transaction(async (inside) => {
    await deleteClient(inside, client.id);
    await writeDown(inside, 'client.deleted', client, null);
  });
}

/** Whether a secret belongs to the client. */
export async function isSecretOf(scene: Scene, client: OAuthClient, secretValue: string): Promise<boolean> {
  const found = await selectLiveClient(scene.session, client.id);
  return matchingSecret(found?.secretDigests, secretValue) !== null;
}

function termsOf({ authMethod, allowedGrants, scopes, redirectUris }: ClientMetadata) {
  const kind: ClientKind = authMethod === 'none' ? 'public' : 'confidential';
  const terms = { kind, allowedGrants, scopes, redirectUris, audiences: [] };
  const problem = problemOf(terms);
  if (!problem) return terms;
  const code = problem.about === 'redirectUris' ? 'invalid_redirect_uri' : 'invalid_client_metadata';
  throw new ApiError(code, { detail: problem.says });
}

async function storeRegistration(scene: Scene, client: OAuthClient, authMethod: AuthMethod): Promise<string> {
  const tokenValue = newCheckedSecret(secretPrefix(scene.name, 'ra'));
  await insertRegistration(scene.session, {
    clientId: client.id,
    tokenDigest: digestOf(tokenValue),
    authMethod,
  });
  return tokenValue;
}

async function writeDown(
  scene: Scene,
  action: string,
  client: OAuthClient,
  operator: Actor | null,
): Promise<void> {
  const actor: Actor = operator ?? { type: 'client', id: client.id };
  await recordAudit(scene, [{ actor, action, clientId: client.id, organizationId: client.organizationId }]);
}
