import type { Scene } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { organizationsOf } from '../../identity/organizations.ts';
import { isOrganizationId, type OrganizationId } from '../../identity/types.ts';
import { type Page, type PageRequest, toPage } from '../../kernel/page.ts';
import type { ClientSecret, OAuthClient, OAuthClientId } from '../types.ts';
import { issueSecret, type NewSecret } from './client-secrets.ts';
import { type ClientTerms, problemOf } from './client-terms.ts';
import { createClient, findClient, type NewClient } from './clients.ts';
import {
  deleteRegistration,
  selectClaimedAudiences,
  selectClientsOf,
  selectSecrets,
  updateClientDeleted,
  updateClientDisabled,
  updateClientTerms,
  updateSecretsRevoked,
} from './store.ts';
import { noSuchClient, withClient } from './with-client.ts';

export interface ClientDescription extends Omit<NewClient, 'organizationId'> {
  organizationId: string;
}

/** Creates a client as it is described, with its first secret; a public client has none. */
export async function setUpClient(
  scene: Scene,
  description: ClientDescription,
): Promise<{ client: OAuthClient; secret: NewSecret | null }> {
  requireTerms(description);
  return scene.transaction(async (inside) => {
    const organizationId = await requireOrganization(inside, description.organizationId);
    await requireUnclaimed(inside, description.audiences, null);
    const client = await createClient(inside, { ...description, organizationId });
    return { client, secret: client.kind === 'public' ? null : await issueSecret(inside, client.id) };
  });
}

/** All clients, or those of one organization. */
export async function listClients(
  scene: Scene,
  organizationId: string | undefined,
  page: PageRequest,
): Promise<Page<OAuthClient>> {
  const owner = organizationId === undefined ? null : await requireOrganization(scene, organizationId);
  return toPage(await selectClientsOf(scene.session, owner, page), page.limit, ({ id }) => id);
}

export async function readClient(
  scene: Scene,
  id: string,
): Promise<{ client: OAuthClient; secrets: ClientSecret[] }> {
  const client = await findClient(scene, id);
  if (!client) throw noSuchClient();
  return { client, secrets: await selectSecrets(scene.session, client.id) };
}

export type ClientChanges = Partial<Omit<ClientTerms, 'kind'> & Pick<OAuthClient, 'name'>>;

/** Changes what is named and leaves the rest. Tokens that are issued already keep what they carry. */
export async function changeClient(scene: Scene, id: string, changes: ClientChanges): Promise<OAuthClient> {
  return withClient(scene, id, async (inside, client) => {
    const changed: OAuthClient = { ...client, ...changes };
    requireTerms(changed);
    await requireUnclaimed(inside, changed.audiences, client.id);
    await updateClientTerms(inside.session, changed);
    return changed;
  });
}

/** Every token of the client is inactive from the next look-up on, until it is enabled again. */
export async function disableClient(scene: Scene, id: string): Promise<OAuthClient> {
  return withClient(scene, id, async (inside, client) => {
    const disabledAt = client.disabledAt ?? inside.clock.now();
    await updateClientDisabled(inside.session, client.id, disabledAt);
    return { ...client, disabledAt };
  });
}

export async function enableClient(scene: Scene, id: string): Promise<OAuthClient> {
  return withClient(scene, id, async (inside, client) => {
    await updateClientDisabled(inside.session, client.id, null);
    return { ...client, disabledAt: null };
  });
}

/** Ends the client for good: it is unknown from now on, and so are its tokens and secrets. Its rows leave later. */
export async function deleteClient(scene: Scene, id: string): Promise<OAuthClient> {
  return withClient(scene, id, async (inside, client) => {
    const { session, clock } = inside;
    const secrets = await selectSecrets(session, client.id);
    await updateSecretsRevoked(
      session,
      secrets.map((secret) => secret.id),
      clock.now(),
    );
    await deleteRegistration(session, client.id);
    await updateClientDeleted(session, client.id, clock.now());
    return client;
  });
}

function requireTerms(terms: ClientTerms): void {
  const problem = problemOf(terms);
  if (problem) throw new ApiError('validation_failed', { detail: problem.says });
}

async function requireOrganization(scene: Scene, id: string): Promise<OrganizationId> {
  const [organization] = isOrganizationId(id) ? await organizationsOf(scene, [id]) : [];
  if (organization) return organization.id;
  throw new ApiError('not_found', { detail: 'There is no organization with this id.' });
}

/** Whoever has an audience may read the tokens that are made for it, so it has one owner. */
async function requireUnclaimed(
  scene: Scene,
  audiences: readonly string[],
  own: OAuthClientId | null,
): Promise<void> {
  if (audiences.length === 0) return;
  // Two claims of one audience come one after the other, whatever clients they are for.
  await scene.session.lock('oauth_audiences');
  const [claimed] = await selectClaimedAudiences(scene.session, audiences, own);
  if (claimed === undefined) return;
  throw new ApiError('conflict', { detail: `Another resource server has the audience ${claimed}.` });
}
