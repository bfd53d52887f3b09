import { recordAudit } from '../../../audit/audit-log.ts';
import type { Actor, NewAuditEntry } from '../../../audit/types.ts';
import { type Context, secretPrefix } from '../../../environments/environment.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { createOrganization } from '../../../identity/organizations.ts';
import { isCheckedSecret, newCheckedSecret } from '../../../kernel/checked-secret.ts';
import { digestOf } from '../../../kernel/digest.ts';
import type { ClientKind, OAuthClient, OAuthClientId } from '../../types.ts';
import { matchingSecret } from '../authentication/admit-client.ts';
import { issueSecret } from '../authentication/client-secrets.ts';
import { selectLiveClients } from '../authentication/store.ts';
import { changeClient } from '../clients/administer-clients.ts';
import { type ClientLimits, problemOf } from '../clients/client-terms.ts';
import { createClient } from '../clients/clients.ts';
import { selectClientLimits, updateClientLimits } from '../clients/store.ts';
import { type ChosenMetadata, type ClientMetadata, withinLimits } from './client-limits.ts';
import { deleteClient } from './delete-client.ts';
import { redeemRegistrationToken } from './registration-tokens.ts';
import {
  type AuthMethod,
  insertRegistration,
  lockRegistration,
  type StoredRegistration,
  selectIsRegistered,
  updateRegistration,
} from './store.ts';

export interface Registered extends StoredRegistration {
  /** Both are shown now and never again. A public client has no secret. */
  clientSecretValue: string | null;
  registrationTokenValue: string;
}

/** The permission to register: a token for one client, an operator, or nobody where registration is open. */
export type InitialAccess =
  | { by: 'anybody' }
  | { by: 'operator'; operator: Actor }
  | { by: 'token'; tokenValue: string };

/** A client registers itself, in an organization of its own. Null where its registration token is not, or no longer, good. */
export async function registerClient(
  context: Context,
  asked: ClientMetadata,
  access: InitialAccess,
): Promise<Registered | null> {
  return context.transaction(async (inside) => {
    const token = access.by === 'token' ? await redeemRegistrationToken(inside, access.tokenValue) : null;
    if (access.by === 'token' && token === null) return null;
    const limits: ClientLimits = token ? { scopes: token.scopes, allowedGrants: token.allowedGrants } : {};
    const metadata = withinLimits(limits, asked, inside.scopes);
    const terms = termsOf(metadata);
    const organization = await createOrganization(inside, {
      name: metadata.name,
      selfRegistered: access.by === 'anybody',
    });
    const client = await createClient(inside, {
      ...terms,
      name: metadata.name,
      organizationId: organization.id,
    });
    await updateClientLimits(inside.session, client.id, limits);
    const secret = client.kind === 'public' ? null : await issueSecret(inside, client.id);
    const registrationTokenValue = await storeRegistration(inside, client, metadata.authMethod);
    await writeDown(inside, 'client.registered', client, {
      ...(access.by === 'operator' ? { actor: access.operator } : {}),
      ...(token ? { details: { registration_token_id: token.id } } : {}),
    });
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
  context: Context,
  clientId: string,
  registrationTokenValue: string,
): Promise<StoredRegistration | null> {
  if (!isCheckedSecret(secretPrefix(context.name, 'ra'), registrationTokenValue)) return null;
  const found = await lockRegistration(context.session, digestOf(registrationTokenValue));
  return found?.client.id === clientId ? found : null;
}

/** Returns whether the client has registered itself. */
export async function hasRegistration(context: Context, clientId: OAuthClientId): Promise<boolean> {
  return selectIsRegistered(context.session, clientId);
}

/** Replaces all metadata of a client (RFC 7592 §2.2). Its secret stays. */
export async function replaceMetadata(
  context: Context,
  registration: StoredRegistration,
  asked: ClientMetadata,
): Promise<StoredRegistration> {
  const limits = await selectClientLimits(context.session, registration.client.id);
  const metadata = withinLimits(limits, asked, context.scopes);
  const { authMethod, name } = metadata;
  const { kind, ...terms } = termsOf(metadata);
  if (kind !== registration.client.kind)
    throw new ApiError('invalid_client_metadata', {
      detail: 'A client that has a secret keeps it, and one that has none cannot get one; register anew.',
    });
  return context.transaction(async (inside) => {
    const { client, before, after } = await changeClient(inside, registration.client.id, { ...terms, name });
    await updateRegistration(inside.session, client.id, authMethod);
    const details = { changed: Object.keys(after), before, after };
    await writeDown(inside, 'client.updated', client, { details });
    return { client, authMethod };
  });
}

export async function endRegistration(context: Context, { client }: StoredRegistration): Promise<void> {
  await context.transaction(async (inside) => {
    await deleteClient(inside, client.id);
    await writeDown(inside, 'client.deleted', client);
  });
}

/** Returns whether a secret belongs to the client. */
export async function isSecretOf(
  context: Context,
  client: OAuthClient,
  secretValue: string,
): Promise<boolean> {
  const [found] = await selectLiveClients(context.session, [client.id]);
  return matchingSecret(found?.secretDigests, secretValue) !== null;
}

function termsOf({ authMethod, allowedGrants, scopes, redirectUris, ...choices }: ChosenMetadata) {
  const { requiresPkce, idTokenAlgorithm } = choices;
  const kind: ClientKind = authMethod === 'none' ? 'public' : 'confidential';
  const terms = { kind, allowedGrants, scopes, redirectUris, audiences: [], requiresPkce, idTokenAlgorithm };
  const problem = problemOf(terms);
  if (!problem) return terms;
  const code = problem.about === 'redirectUris' ? 'invalid_redirect_uri' : 'invalid_client_metadata';
  throw new ApiError(code, { detail: problem.message });
}

async function storeRegistration(
  context: Context,
  client: OAuthClient,
  authMethod: AuthMethod,
): Promise<string> {
  const tokenValue = newCheckedSecret(secretPrefix(context.name, 'ra'));
  await insertRegistration(context.session, {
    clientId: client.id,
    tokenDigest: digestOf(tokenValue),
    authMethod,
    registeredAt: client.createdAt,
  });
  return tokenValue;
}

async function writeDown(
  context: Context,
  action: string,
  { id, organizationId }: OAuthClient,
  more: Partial<Pick<NewAuditEntry, 'actor' | 'details'>> = {},
): Promise<void> {
  const actor: Actor = { type: 'client', id };
  await recordAudit(context, [{ actor, action, clientId: id, organizationId, ...more }]);
}
