import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../../environments/environment.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { organizationsOf } from '../../../identity/organizations.ts';
import { isOrganizationId, type OrganizationId } from '../../../identity/types.ts';
import { type Page, type SearchRequest, toPage } from '../../../kernel/page.ts';
import { disableEndpointsOf } from '../../../webhooks/endpoints/end-access.ts';
import { type ChangedScopes, followScopes } from '../../../webhooks/endpoints/follow-scopes.ts';
import type { ClientSecret, OAuthClient, OAuthClientId } from '../../types.ts';
import { issueSecret, type NewSecret } from '../authentication/client-secrets.ts';
import { selectSecrets } from '../authentication/store.ts';
import { type ClientLimits, type ClientTerms, problemOf } from './client-terms.ts';
import { createClient, findClient, noSuchClient, withClient } from './clients.ts';
import {
  selectClaimedAudiences,
  selectClientLimits,
  selectClientsOf,
  updateClientDisabled,
  updateClientLimits,
  updateClientTerms,
} from './store.ts';

export interface ClientDescription
  extends Omit<OAuthClient, 'id' | 'createdAt' | 'disabledAt' | 'organizationId'> {
  organizationId: string;
}

/** Creates a client with its first secret; a public client has none. */
export async function setUpClient(
  context: Context,
  description: ClientDescription,
): Promise<{ client: OAuthClient; secret: NewSecret | null }> {
  requireTerms(description);
  return context.transaction(async (inside) => {
    const organizationId = await requireOrganization(inside, description.organizationId);
    await requireUnclaimed(inside, description.audiences, null);
    const client = await createClient(inside, { ...description, organizationId });
    return { client, secret: client.kind === 'public' ? null : await issueSecret(inside, client.id) };
  });
}

/** Lists the clients of one organization, or of all. */
export async function listClients(
  context: Context,
  organizationId: string | undefined,
  page: SearchRequest,
): Promise<Page<OAuthClient>> {
  const owner = organizationId === undefined ? null : await requireOrganization(context, organizationId);
  return toPage(await selectClientsOf(context.session, owner, page), page.limit, ({ id }) => id);
}

export async function readClient(
  context: Context,
  id: string,
): Promise<{ client: OAuthClient; secrets: ClientSecret[]; limits: ClientLimits }> {
  const client = await findClient(context, id);
  if (!client) throw noSuchClient();
  const limits = await selectClientLimits(context.session, client.id);
  return { client, limits, secrets: await selectSecrets(context.session, client.id) };
}

export type ClientChanges = Partial<
  Omit<ClientTerms, 'kind'> & Pick<OAuthClient, 'name' | 'idTokenAlgorithm'>
>;

export interface ChangedClient extends ClientDifferences {
  client: OAuthClient;
}

/**
 * Changes the fields that are given and leaves the rest. What it may not have any more is gone from its tokens at once, and
 * comes back with the scope; so with its webhooks.
 */
export async function changeClient(
  context: Context,
  id: string,
  changes: ClientChanges,
): Promise<ChangedClient> {
  return withClient(context, id, async (inside, before) => {
    const client: OAuthClient = { ...before, ...changes };
    requireTerms(client);
    await requireUnclaimed(inside, client.audiences, client.id);
    await updateClientTerms(inside.session, client);
    await followScopes(inside, scopeChange(before, client));
    return { client, ...clientDifferences(before, client) };
  });
}

function scopeChange({ scopes }: OAuthClient, { id: clientId, scopes: left }: OAuthClient): ChangedScopes {
  return { clientId, left, removed: scopes.filter((scope) => !left.includes(scope)) };
}

/**
 * The same by an operator: what is set here is from now on the most that the client may give itself. Its audiences it
 * cannot register, and how its id_tokens are signed gives it nothing.
 */
export async function limitClient(
  context: Context,
  id: string,
  changes: ClientChanges,
): Promise<ChangedClient> {
  return context.transaction(async (inside) => {
    const changed = await changeClient(inside, id, changes);
    const { audiences: _none, idTokenAlgorithm: _free, ...limited } = changes;
    const limits = await selectClientLimits(inside.session, changed.client.id);
    await updateClientLimits(inside.session, changed.client.id, { ...limits, ...limited });
    return changed;
  });
}

/** The client may change all of its registration again. */
export async function liftLimits(context: Context, id: string): Promise<OAuthClient> {
  return withClient(context, id, async (inside, client) => {
    await updateClientLimits(inside.session, client.id, {});
    return client;
  });
}

/** Every token of the client is inactive from the next look-up on, until the client is enabled again. */
export async function disableClient(context: Context, id: string): Promise<OAuthClient> {
  return withClient(context, id, async (inside, client) => {
    const disabledAt = client.disabledAt ?? inside.clock.now();
    await updateClientDisabled(inside.session, client.id, disabledAt);
    await disableEndpointsOf(inside, [{ clientId: client.id }], 'its client was disabled');
    return { ...client, disabledAt };
  });
}

export async function enableClient(context: Context, id: string): Promise<OAuthClient> {
  return withClient(context, id, async (inside, client) => {
    await updateClientDisabled(inside.session, client.id, null);
    return { ...client, disabledAt: null };
  });
}

function requireTerms(terms: ClientTerms): void {
  const problem = problemOf(terms);
  if (problem) throw new ApiError('validation_failed', { detail: problem.message });
}

async function requireOrganization(context: Context, id: string): Promise<OrganizationId> {
  const [organization] = isOrganizationId(id) ? await organizationsOf(context, [id]) : [];
  if (organization) return organization.id;
  throw new ApiError('not_found', { detail: 'There is no organization with this id.' });
}

/** A resource server may introspect tokens made for its audience, so an audience has one owner. */
async function requireUnclaimed(
  context: Context,
  audiences: readonly string[],
  own: OAuthClientId | null,
): Promise<void> {
  if (audiences.length === 0) return;
  // Claims of one audience are serialised, also across clients.
  await context.session.lock('oauth_audiences');
  const [claimed] = await selectClaimedAudiences(context.session, audiences, own);
  if (claimed === undefined) return;
  throw new ApiError('conflict', { detail: `Another resource server has the audience ${claimed}.` });
}

/** The changed fields of a client, for the audit log. */
export interface ClientDifferences {
  before: Readonly<Record<string, unknown>>;
  after: Readonly<Record<string, unknown>>;
}

export function clientDifferences(before: OAuthClient, after: OAuthClient): ClientDifferences {
  const [one, other] = [changeable(before), changeable(after)];
  const changed = Object.keys(one).filter((field) => !isDeepStrictEqual(one[field], other[field]));
  const only = (of: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(changed.map((field) => [field, of[field]]));
  return { before: only(one), after: only(other) };
}

function changeable(client: OAuthClient): Readonly<Record<string, unknown>> {
  return {
    name: client.name,
    grant_types: client.allowedGrants,
    scopes: client.scopes,
    redirect_uris: client.redirectUris,
    audiences: client.audiences,
    require_pkce: client.requiresPkce,
    id_token_signed_response_alg: client.idTokenAlgorithm,
  };
}
