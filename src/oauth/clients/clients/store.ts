import { type ColumnType, type Kysely, sql, type Updateable } from 'kysely';
import { deletionChore } from '../../../environments/chore.ts';
import type { OrganizationId } from '../../../identity/types.ts';
import type { SearchRequest } from '../../../kernel/page.ts';
import { present } from '../../../kernel/presence.ts';
import type { Columns, Session } from '../../../storage/database.ts';
import { deletion } from '../../../storage/deletion.ts';
import { containing, cursor } from '../../../storage/list-query.ts';
import { statement } from '../../../storage/statement.ts';
import { wordSearch } from '../../../storage/word-search.ts';
import { DEAD_KEPT_DAYS, type OAuthClient, type OAuthClientId } from '../../types.ts';
import type { ClientLimits } from './client-terms.ts';

export interface ClientTables {
  oauth_clients: Columns<OAuthClient> & {
    limits: ColumnType<ClientLimits, string | undefined, string>;
    deleted_at: Date | null;
  };
}

const tables = (session: Session): Kysely<ClientTables> => session.tables<ClientTables>();

export const clientColumns = [
  'oauth_clients.id',
  'organization_id as organizationId',
  'name',
  'kind',
  'allowed_grants as allowedGrants',
  'scopes',
  'redirect_uris as redirectUris',
  'audiences',
  'requires_pkce as requiresPkce',
  'id_token_algorithm as idTokenAlgorithm',
  'disabled_at as disabledAt',
  'oauth_clients.created_at as createdAt',
] as const;

export async function insertClient(session: Session, client: OAuthClient): Promise<void> {
  await tables(session)
    .insertInto('oauth_clients')
    .values({
      id: client.id,
      organization_id: client.organizationId,
      kind: client.kind,
      ...termsOf(client),
      disabled_at: client.disabledAt,
      created_at: client.createdAt,
    })
    .execute();
}

/** The columns that an operator may change. */
function termsOf(client: OAuthClient) {
  return {
    name: client.name,
    allowed_grants: client.allowedGrants,
    scopes: client.scopes,
    redirect_uris: client.redirectUris,
    audiences: client.audiences,
    requires_pkce: client.requiresPkce,
    id_token_algorithm: client.idTokenAlgorithm,
  };
}

export async function selectClient(session: Session, id: OAuthClientId): Promise<OAuthClient | null> {
  return (await liveClient(session, id).executeTakeFirst()) ?? null;
}

/** Locks the client until the transaction ends; null if it is unknown or deleted. */
export async function lockClient(session: Session, id: OAuthClientId): Promise<OAuthClient | null> {
  // Tokens can be issued meanwhile: a grant needs its client to exist, not to stay unchanged.
  return (await liveClient(session, id).forNoKeyUpdate().executeTakeFirst()) ?? null;
}

function liveClient(session: Session, id: OAuthClientId) {
  return tables(session)
    .selectFrom('oauth_clients')
    .select(clientColumns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null);
}

export async function selectClients(session: Session, ids: readonly OAuthClientId[]): Promise<OAuthClient[]> {
  return tables(session)
    .selectFrom('oauth_clients')
    .select(clientColumns)
    .where('id', '=', sql<OAuthClientId>`any(${ids}::text[])`)
    .execute();
}

export async function selectExistingClients(
  session: Session,
  ids: readonly OAuthClientId[],
): Promise<OAuthClient[]> {
  return tables(session)
    .selectFrom('oauth_clients')
    .select(clientColumns)
    .where('id', '=', sql<OAuthClientId>`any(${ids}::text[])`)
    .where('deleted_at', 'is', null)
    .execute();
}

export async function selectClientsOf(
  session: Session,
  organizationId: OrganizationId | null,
  { search, ...page }: SearchRequest,
): Promise<OAuthClient[]> {
  return tables(session)
    .selectFrom('oauth_clients')
    .select(clientColumns)
    .where('deleted_at', 'is', null)
    .$if(organizationId !== null, (query) =>
      query.where('organization_id', '=', present(organizationId, 'owner')),
    )
    .$if(page.after !== null, (query) => query.where('id', '>', cursor<OAuthClientId>(page.after)))
    .$if(search !== undefined, (query) =>
      query.where((is) =>
        is.or([is('id', '=', sql<OAuthClientId>`${search}`), is('name', 'ilike', containing(search ?? ''))]),
      ),
    )
    .orderBy('id')
    .limit(page.limit + 1)
    .execute();
}

/** What a search shows of a client. */
export type FoundClient = Pick<OAuthClient, 'id' | 'name' | 'kind' | 'disabledAt'>;

/** By the beginnings of words of the name, or by a whole redirect URI. */
export const searchClients = wordSearch<FoundClient>('search_clients', {
  table: 'oauth_clients',
  text: 'name',
  select: 'id, name, kind, disabled_at as "disabledAt"',
  name: 'name',
  or: 'redirect_uris @> array[$2]',
});

export async function selectClientLimits(session: Session, id: OAuthClientId): Promise<ClientLimits> {
  const { limits } = await tables(session)
    .selectFrom('oauth_clients')
    .select('limits')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return limits;
}

export function updateClientTerms(session: Session, client: OAuthClient): Promise<void> {
  return updateClient(session, client.id, termsOf(client));
}

export function updateClientLimits(session: Session, id: OAuthClientId, limits: ClientLimits): Promise<void> {
  return updateClient(session, id, { limits: JSON.stringify(limits) });
}

export function updateClientDisabled(session: Session, id: OAuthClientId, at: Date | null): Promise<void> {
  return updateClient(session, id, { disabled_at: at });
}

export function updateClientDeleted(session: Session, id: OAuthClientId, at: Date): Promise<void> {
  return updateClient(session, id, { deleted_at: at });
}

async function updateClient(
  session: Session,
  id: OAuthClientId,
  columns: Updateable<ClientTables['oauth_clients']>,
): Promise<void> {
  await tables(session).updateTable('oauth_clients').set(columns).where('id', '=', id).execute();
}

/** Returns the audiences, of these, that resource servers other than this one have claimed. */
export async function selectClaimedAudiences(
  session: Session,
  audiences: readonly string[],
  exceptOf: OAuthClientId | null,
): Promise<string[]> {
  const rows = await tables(session)
    .selectFrom('oauth_clients')
    .select('audiences')
    .where('deleted_at', 'is', null)
    .where('audiences', '&&', sql<string[]>`${audiences}::text[]`)
    .$if(exceptOf !== null, (query) => query.where('id', '!=', present(exceptOf, 'client')))
    .execute();
  const claimed = rows.flatMap((row) => row.audiences);
  return audiences.filter((audience) => claimed.includes(audience));
}

/** The organizations that own the resource servers of these audiences. */
export async function organizationsOfAudiences(
  session: Session,
  audiences: readonly string[],
): Promise<{ audience: string; organizationId: OrganizationId }[]> {
  const rows = await tables(session)
    .selectFrom('oauth_clients')
    .select(['organization_id as organizationId', 'audiences'])
    .where('kind', '=', 'resource_server')
    .where('deleted_at', 'is', null)
    .where('audiences', '&&', sql<string[]>`${audiences}::text[]`)
    .execute();
  return rows.flatMap(({ organizationId, audiences: own }) =>
    own.map((audience) => ({ audience, organizationId })),
  );
}

const REMOVE_CLIENTS = statement(
  'remove_clients',
  `delete from {schema}.oauth_clients where id = any($1::text[])
   returning id as "clientId", organization_id as "organizationId"`,
);

/** Deletes the rows of clients that have no grant. */
export async function removeClients(
  session: Session,
  ids: readonly OAuthClientId[],
): Promise<{ clientId: OAuthClientId; organizationId: OrganizationId }[]> {
  return session.run(REMOVE_CLIENTS, [ids]);
}

/** Deletes the rows of deleted clients that have no grant left. */
export const clientChore = deletionChore(
  'oauth_clients',
  deletion('delete_clients', {
    table: 'oauth_clients',
    where: `deleted_at <= $1
      and not exists (select 1 from {schema}.oauth_grants g where g.client_id = oauth_clients.id)`,
    orderBy: 'id',
  }),
  DEAD_KEPT_DAYS,
);
