import type { Kysely } from 'kysely';
import type { Columns, Session } from '../../storage/database.ts';
import { cursor } from '../../storage/list-query.ts';
import { oneByOne, statement } from '../../storage/statement.ts';
import type { Endpoint, EndpointId, SecretId } from '../types.ts';

export interface EndpointTables {
  webhook_endpoints: Columns<Omit<Endpoint, 'madeBy'>> & {
    made_by_client: string | null;
    made_by_user: string | null;
    deleted_at: Date | null;
  };
  webhook_secrets: {
    id: SecretId;
    endpoint_id: EndpointId;
    sealed: Uint8Array;
    created_at: Date;
    expires_at: Date | null;
  };
  webhook_lanes: {
    endpoint_id: EndpointId;
    not_before: Date | null;
    failing_since: Date | null;
    failure_count: number;
    last_success_at: Date | null;
  };
}

const tables = (session: Session): Kysely<EndpointTables> => session.tables<EndpointTables>();

/** The columns of an `Endpoint`; who made it is still in two. */
export const endpointColumns = [
  'id',
  'organization_id as organizationId',
  'url',
  'format',
  'events',
  'pinned_version as pinnedVersion',
  'description',
  'max_per_second as maxPerSecond',
  'made_by_client as madeByClient',
  'made_by_user as madeByUser',
  'lost_scopes as lostScopes',
  'created_at as createdAt',
  'modified_at as modifiedAt',
  'disabled_at as disabledAt',
  'disabled_reason as disabledReason',
] as const;

/** With its lane, which workers lease. */
export async function insertEndpoint(session: Session, endpoint: Endpoint): Promise<void> {
  await tables(session)
    .insertInto('webhook_endpoints')
    .values({
      id: endpoint.id,
      organization_id: endpoint.organizationId,
      created_at: endpoint.createdAt,
      ...changeable(endpoint),
    })
    .execute();
  await tables(session)
    .insertInto('webhook_lanes')
    .values({ endpoint_id: endpoint.id, failure_count: 0 })
    .execute();
}

export async function updateEndpoint(session: Session, endpoint: Endpoint): Promise<void> {
  await tables(session)
    .updateTable('webhook_endpoints')
    .set(changeable(endpoint))
    .where('id', '=', endpoint.id)
    .execute();
}

export async function markEndpointDeleted(session: Session, id: EndpointId, deletedAt: Date): Promise<void> {
  await tables(session)
    .updateTable('webhook_endpoints')
    .set({ deleted_at: deletedAt })
    .where('id', '=', id)
    .execute();
}

/** Null for one that was deleted. */
export async function selectEndpoint(session: Session, id: EndpointId): Promise<Endpoint | null> {
  return toEndpoint(await endpointQuery(session, id).executeTakeFirst());
}

/** The same, locked until the transaction ends: no other one changes it or makes events for it. */
export async function lockEndpoint(session: Session, id: EndpointId): Promise<Endpoint | null> {
  return toEndpoint(await endpointQuery(session, id).forUpdate().executeTakeFirst());
}

/** The same, but others may make events for it meanwhile. */
export async function holdEndpoint(session: Session, id: EndpointId): Promise<Endpoint | null> {
  return toEndpoint(await endpointQuery(session, id).forShare().executeTakeFirst());
}

/** Reads one more than the limit, to know whether there are more. */
export async function selectEndpoints(
  session: Session,
  page: { organizationIds: readonly string[]; limit: number; after: string | null },
): Promise<Endpoint[]> {
  if (page.organizationIds.length === 0) return [];
  const rows = await tables(session)
    .selectFrom('webhook_endpoints')
    .select(endpointColumns)
    .where('organization_id', 'in', page.organizationIds)
    .where('deleted_at', 'is', null)
    .where('id', '>', cursor<EndpointId>(page.after))
    .orderBy('id')
    .limit(page.limit + 1)
    .execute();
  return rows.flatMap((row) => toEndpoint(row) ?? []);
}

/** Counts endpoints that were not deleted, disabled ones too. */
export async function countEndpoints(session: Session, organizationId: string): Promise<number> {
  const { count } = await tables(session)
    .selectFrom('webhook_endpoints')
    .select((endpoint) => endpoint.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** An access that has ended; what is left out matches all. */
export interface EndedAccess {
  clientId?: string;
  /** Null: of a client that acted for itself. */
  userId?: string | null;
  organizationId?: string;
}

/** The endpoints of which a column has one of the values in a list. */
const foundBy = (column: string, list: string): string =>
  `select e.id from unnest(${list}::text[]) as named(value)
         cross join lateral (${oneByOne('webhook_endpoints', `${column} = named.value and deleted_at is null`)}) e`;

/** Found by an index, whatever an access names; then compared with each access as a whole. */
const madeBy = (lock: '' | 'for update'): string => `
   from (${foundBy('made_by_client', '$1')}
         union ${foundBy('made_by_user', '$2')}
         union ${foundBy('organization_id', '$3')}
         order by id) found
   cross join lateral (
     select * from {schema}.webhook_endpoints made
     where id = found.id and disabled_at is null and made_by_client is not null
       and exists (
         select 1 from unnest($1::text[], $2::text[], $3::text[]) as ended(client_id, user_id, organization_id)
         where (ended.client_id is null or ended.client_id = made.made_by_client)
           and (ended.user_id is null or ended.user_id = coalesce(made.made_by_user, ''))
           and (ended.organization_id is null or ended.organization_id = made.organization_id))
     offset 0 ${lock}
   ) e
   where e.deleted_at is null`;

const ORGANIZATIONS_OF_ENDED = statement(
  'organizations_of_ended_access',
  `select distinct e.organization_id as id ${madeBy('')} order by 1`,
);

/** The organizations that have enabled endpoints which were made with these. */
export async function organizationsOfEnded(
  session: Session,
  ended: readonly EndedAccess[],
): Promise<string[]> {
  const rows = await session.run<{ id: string }>(ORGANIZATIONS_OF_ENDED, arraysOf(ended));
  return rows.map(({ id }) => id);
}

const DISABLE_ENDED = statement(
  'disable_endpoints_of_ended_access',
  `with ended as (select e.id ${madeBy('for update')} and e.organization_id = any($4::text[]))
   update {schema}.webhook_endpoints e
   set disabled_at = $5, disabled_reason = 'access_ended', modified_at = $5
   where e.id = any(array(select id from ended))
   returning e.id, e.organization_id as "organizationId"`,
);

/** Disables the enabled endpoints in these organizations that were made with these. */
export async function disableEnded(
  session: Session,
  ended: readonly EndedAccess[],
  { organizationIds, now }: { organizationIds: readonly string[]; now: Date },
): Promise<Pick<Endpoint, 'id' | 'organizationId'>[]> {
  return session.run(DISABLE_ENDED, [...arraysOf(ended), organizationIds, now]);
}

/** In SQL null matches all, and the empty text stands for no user. */
function arraysOf(ended: readonly EndedAccess[]): (string | null)[][] {
  return [
    ended.map(({ clientId = null }) => clientId),
    ended.map(({ userId }) => (userId === undefined ? null : (userId ?? ''))),
    ended.map(({ organizationId = null }) => organizationId),
  ];
}

const ORGANIZATIONS_ASKED_FOR_SCOPES = statement(
  'organizations_of_client_asked_for_scopes',
  `select distinct organization_id as id from {schema}.webhook_endpoints
   where made_by_client = $1 and deleted_at is null and lost_scopes is not null order by 1`,
);

/** The organizations that have endpoints which this client made where scopes were asked for. */
export async function organizationsAskedForScopes(session: Session, clientId: string): Promise<string[]> {
  const rows = await session.run<{ id: string }>(ORGANIZATIONS_ASKED_FOR_SCOPES, [clientId]);
  return rows.map(({ id }) => id);
}

const UPDATE_LOST_SCOPES = statement(
  'update_lost_scopes_of_webhook_endpoints',
  `with made as (
     select id from {schema}.webhook_endpoints
     where made_by_client = $1 and deleted_at is null and lost_scopes is not null and organization_id = any($4::text[])
     order by id for update)
   update {schema}.webhook_endpoints e
   set lost_scopes = array(select distinct lost.scope from unnest(e.lost_scopes || $3::text[]) as lost(scope)
                           where lost.scope <> all($2::text[]) order by lost.scope)
   from made where e.id = made.id
   returning e.id, e.lost_scopes as "lostScopes"`,
);

/** Locks the endpoints in these organizations that a client made where scopes were asked for, and notes what it has lost. */
export async function updateLostScopes(
  session: Session,
  { clientId, left, removed }: { clientId: string; left: readonly string[]; removed: readonly string[] },
  organizationIds: readonly string[],
): Promise<Pick<Endpoint, 'id' | 'lostScopes'>[]> {
  return session.run(UPDATE_LOST_SCOPES, [clientId, left, removed, organizationIds]);
}

/** Clears its failures. */
export async function clearLane(session: Session, id: EndpointId): Promise<void> {
  await tables(session)
    .updateTable('webhook_lanes')
    .set({ not_before: null, failing_since: null, failure_count: 0 })
    .where('endpoint_id', '=', id)
    .execute();
}

export interface StoredSecret {
  id: SecretId;
  endpointId: EndpointId;
  sealed: Uint8Array;
  createdAt: Date;
}

export async function insertSecret(session: Session, secret: StoredSecret): Promise<void> {
  await tables(session)
    .insertInto('webhook_secrets')
    .values({
      id: secret.id,
      endpoint_id: secret.endpointId,
      sealed: secret.sealed,
      created_at: secret.createdAt,
    })
    .execute();
}

/** Deletes secrets that were replaced before; the one replaced now signs until it expires. */
export async function retireSecrets(
  session: Session,
  endpointId: EndpointId,
  expiresAt: Date,
): Promise<void> {
  const ofEndpoint = tables(session).deleteFrom('webhook_secrets').where('endpoint_id', '=', endpointId);
  await ofEndpoint.where('expires_at', 'is not', null).execute();
  await tables(session)
    .updateTable('webhook_secrets')
    .set({ expires_at: expiresAt })
    .where('endpoint_id', '=', endpointId)
    .execute();
}

export async function deleteSecrets(session: Session, endpointId: EndpointId): Promise<void> {
  await tables(session).deleteFrom('webhook_secrets').where('endpoint_id', '=', endpointId).execute();
}

const LOCK_SEALED_OTHERWISE = statement(
  'lock_webhook_secrets_sealed_otherwise',
  `select id, sealed from {schema}.webhook_secrets
   where substr(sealed, 1, length($1::bytea)) <> $1::bytea
   order by id limit $2 for update`,
);

/** Some of the secrets that are not sealed under the key with this mark. */
export async function lockSealedOtherwise(
  session: Session,
  mark: Buffer,
  limit: number,
): Promise<Pick<StoredSecret, 'id' | 'sealed'>[]> {
  return session.run(LOCK_SEALED_OTHERWISE, [mark, limit]);
}

export async function updateSealed(session: Session, id: SecretId, sealed: Uint8Array): Promise<void> {
  await tables(session).updateTable('webhook_secrets').set({ sealed }).where('id', '=', id).execute();
}

function endpointQuery(session: Session, id: EndpointId) {
  return tables(session)
    .selectFrom('webhook_endpoints')
    .select(endpointColumns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null);
}

function changeable(endpoint: Endpoint) {
  return {
    url: endpoint.url,
    format: endpoint.format,
    events: endpoint.events,
    pinned_version: endpoint.pinnedVersion,
    description: endpoint.description,
    max_per_second: endpoint.maxPerSecond,
    made_by_client: endpoint.madeBy?.clientId ?? null,
    made_by_user: endpoint.madeBy?.userId ?? null,
    lost_scopes: endpoint.lostScopes,
    modified_at: endpoint.modifiedAt,
    disabled_at: endpoint.disabledAt,
    disabled_reason: endpoint.disabledReason,
  };
}

type EndpointRow = Omit<Endpoint, 'madeBy'> & { madeByClient: string | null; madeByUser: string | null };

function toEndpoint(row: EndpointRow | undefined): Endpoint | null {
  if (!row) return null;
  const { madeByClient, madeByUser, ...endpoint } = row;
  return {
    ...endpoint,
    madeBy: madeByClient === null ? null : { clientId: madeByClient, userId: madeByUser },
  };
}

const COUNT_ENABLED = statement(
  'count_enabled_endpoints',
  'select count(*)::int as count from {schema}.webhook_endpoints where disabled_at is null and deleted_at is null',
);

export async function countEnabledEndpoints(session: Session): Promise<number> {
  const [row] = await session.run<{ count: number }>(COUNT_ENABLED, []);
  return row?.count ?? 0;
}
