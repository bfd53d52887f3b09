import type { Context } from '../environments/environment.ts';
import { organizationsOf } from '../identity/organizations.ts';
import type { OrganizationId } from '../identity/types.ts';
import { findClients, findExistingClients } from '../oauth/clients/clients/clients.ts';
import type { OAuthClientId } from '../oauth/types.ts';

/** A client as far as it is still known: one that was deleted long ago has left its id only. */
export interface KnownClient {
  id: OAuthClientId;
  name: string | null;
  organizationId: OrganizationId | null;
  isDeleted: boolean;
}

/** A client that exists, with its organization. */
export interface NamedClient {
  id: OAuthClientId;
  name: string;
  organizationId: OrganizationId;
  organizationName: string;
}

/** Returns what is known of each of these clients. */
export async function nameClients(
  context: Context,
  ids: readonly (OAuthClientId | null)[],
): Promise<(id: OAuthClientId) => KnownClient> {
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  const clients = new Map((await findClients(context, wanted)).map((client) => [client.id, client]));
  const existing = new Set((await findExistingClients(context, wanted)).map((client) => client.id));
  return (id) => {
    const known = clients.get(id);
    return {
      id,
      name: known?.name ?? null,
      organizationId: known?.organizationId ?? null,
      isDeleted: !existing.has(id),
    };
  };
}

/** Those of the clients that exist, by id. */
export async function nameExistingClients(
  context: Context,
  ids: readonly OAuthClientId[],
): Promise<ReadonlyMap<OAuthClientId, NamedClient>> {
  const clients = await findExistingClients(context, ids);
  const owners = [...new Set(clients.map(({ organizationId }) => organizationId))];
  const names = new Map((await organizationsOf(context, owners)).map(({ id, name }) => [id, name]));
  return new Map(
    clients.map(({ id, name, organizationId }) => [
      id,
      { id, name, organizationId, organizationName: names.get(organizationId) ?? '' },
    ]),
  );
}
