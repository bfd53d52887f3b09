import type { ApiVersion } from '@dateline/versions';
import type { Kysely } from 'kysely';
import { cursor } from '../../storage/cursor.ts';
import type { Session } from '../../storage/database.ts';
import { statement } from '../../storage/statement.ts';
import type { DisabledReason, Endpoint, EndpointId, Format, SecretId } from '../types.ts';

interface Tables {
  webhook_endpoints: {
    id: EndpointId;
    organization_id: string;
    url: string;
    format: Format;
    events: readonly string[];
    pinned_version: ApiVersion;
    description: string | null;
    max_per_second: number | null;
    created_at: Date;
    modified_at: Date;
    disabled_at: Date | null;
    disabled_reason: DisabledReason | null;
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
  };
}

const tables = (session: Session): Kysely<Tables> => session.tables<Tables>();

const columns = [
  'id',
  'organization_id as organizationId',
  'url',
  'format',
  'events',
  'pinned_version as pinnedVersion',
  'description',
  'max_per_second as maxPerSecond',
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
  return (await endpointQuery(session, id).executeTakeFirst()) ?? null;
}

/** The same, locked until the transaction ends: no other one changes it or makes events for it. */
export async function lockEndpoint(session: Session, id: EndpointId): Promise<Endpoint | null> {
  return (await endpointQuery(session, id).forUpdate().executeTakeFirst()) ?? null;
}

/** The same, but others may make events for it meanwhile. */
export async function holdEndpoint(session: Session, id: EndpointId): Promise<Endpoint | null> {
  return (await endpointQuery(session, id).forShare().executeTakeFirst()) ?? null;
}

/** Reads one more than the limit, to know whether there are more. */
export async function selectEndpoints(
  session: Session,
  page: { organizationIds: readonly string[]; limit: number; after: string | null },
): Promise<Endpoint[]> {
  if (page.organizationIds.length === 0) return [];
  return tables(session)
    .selectFrom('webhook_endpoints')
    .select(columns)
    .where('organization_id', 'in', page.organizationIds)
    .where('deleted_at', 'is', null)
    .where('id', '>', cursor<EndpointId>(page.after))
    .orderBy('id')
    .limit(page.limit + 1)
    .execute();
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
    .select(columns)
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
    modified_at: endpoint.modifiedAt,
    disabled_at: endpoint.disabledAt,
    disabled_reason: endpoint.disabledReason,
  };
}
