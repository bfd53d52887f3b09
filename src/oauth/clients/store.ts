import { type ColumnType, type Kysely, sql } from 'kysely';
import type { OrganizationId } from '../../identity/types.ts';
import type { PageRequest, SearchRequest } from '../../kernel/page.ts';
import { present } from '../../kernel/presence.ts';
import type { Session } from '../../storage/database.ts';
import { deletion } from '../../storage/deletion.ts';
import { containing, cursor } from '../../storage/list-query.ts';
import { expectOne, oneByOne, statement } from '../../storage/statement.ts';
import type { Scope } from '../scopes/scopes.ts';
import type {
  ClientKind,
  ClientSecret,
  ClientSecretId,
  GrantType,
  OAuthClient,
  OAuthClientId,
  RegistrationToken,
  RegistrationTokenId,
  SigningAlgorithm,
} from '../types.ts';
import type { ClientLimits } from './client-limits.ts';

interface Tables {
  oauth_clients: {
    id: OAuthClientId;
    organization_id: OrganizationId;
    name: string;
    kind: ClientKind;
    allowed_grants: readonly GrantType[];
    scopes: readonly Scope[];
    redirect_uris: readonly string[];
    audiences: readonly string[];
    requires_pkce: boolean;
    id_token_algorithm: SigningAlgorithm;
    limits: ColumnType<ClientLimits, string | undefined, string>;
    disabled_at: Date | null;
    deleted_at: Date | null;
    created_at: Date;
  };
  oauth_client_secrets: {
    id: ClientSecretId;
    client_id: OAuthClientId;
    digest: Uint8Array;
    created_at: Date;
    last_used_at: Date | null;
    revoked_at: Date | null;
  };
  oauth_registration_tokens: {
    id: RegistrationTokenId;
    digest: Uint8Array;
    scopes: readonly Scope[];
    allowed_grants: readonly GrantType[];
    created_at: Date;
    expires_at: Date;
    used_at: Date | null;
  };
  oauth_client_registrations: {
    client_id: OAuthClientId;
    token_digest: Uint8Array;
    auth_method: AuthMethod;
    registered_at: Date;
  };
}

const tables = (session: Session): Kysely<Tables> => session.tables<Tables>();

const clientColumns = [
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
      name: client.name,
      kind: client.kind,
      allowed_grants: client.allowedGrants,
      scopes: client.scopes,
      redirect_uris: client.redirectUris,
      audiences: client.audiences,
      requires_pkce: client.requiresPkce,
      id_token_algorithm: client.idTokenAlgorithm,
      disabled_at: client.disabledAt,
      created_at: client.createdAt,
    })
    .execute();
}

export async function selectClient(session: Session, id: OAuthClientId): Promise<OAuthClient | null> {
  const row = await tables(session)
    .selectFrom('oauth_clients')
    .select(clientColumns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** A client that is neither disabled nor deleted. */
export interface LiveClient extends OAuthClient {
  organizationSuspendedAt: Date | null;
  secretDigests: readonly Uint8Array[];
}

const LIVE_CLIENTS = statement(
  'live_clients',
  `select c.id, c.organization_id as "organizationId", c.name, c.kind, c.allowed_grants as "allowedGrants", c.scopes,
          c.redirect_uris as "redirectUris", c.audiences, c.requires_pkce as "requiresPkce",
          c.id_token_algorithm as "idTokenAlgorithm", c.disabled_at as "disabledAt", c.created_at as "createdAt",
          o.suspended_at as "organizationSuspendedAt",
          array(select encode(s.digest, 'hex') from {schema}.oauth_client_secrets s
                where s.client_id = c.id and s.revoked_at is null) as secrets
   from unnest($1::text[]) as asked(id)
   cross join lateral (${oneByOne('oauth_clients', 'id = asked.id')}) c
   cross join lateral (${oneByOne('organizations', 'id = c.organization_id')}) o
   where c.disabled_at is null and c.deleted_at is null`,
);

/** In the order of the ids; null for a client that is unknown, disabled or deleted. */
export async function selectLiveClients(
  session: Session,
  ids: readonly OAuthClientId[],
): Promise<(LiveClient | null)[]> {
  type Row = Omit<LiveClient, 'secretDigests'> & { secrets: string[] };
  const rows = await session.run<Row>(LIVE_CLIENTS, [[...new Set(ids)]]);
  const clients = new Map<OAuthClientId, LiveClient>();
  for (const { secrets, ...client } of rows)
    clients.set(client.id, { ...client, secretDigests: secrets.map((hex) => Buffer.from(hex, 'hex')) });
  return ids.map((id) => clients.get(id) ?? null);
}

export async function selectClients(session: Session, ids: readonly OAuthClientId[]): Promise<OAuthClient[]> {
  return tables(session)
    .selectFrom('oauth_clients')
    .select(clientColumns)
    .where('id', '=', sql<OAuthClientId>`any(${ids}::text[])`)
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
        is.or([is('id', '=', search as OAuthClientId), is('name', 'ilike', containing(search ?? ''))]),
      ),
    )
    .orderBy('id')
    .limit(page.limit + 1)
    .execute();
}

/** Locks the client until the transaction ends; null if it is unknown or deleted. */
export async function lockClient(session: Session, id: OAuthClientId): Promise<OAuthClient | null> {
  const row = await tables(session)
    .selectFrom('oauth_clients')
    .select(clientColumns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    // Tokens can be issued meanwhile: a grant needs its client to exist, not to stay unchanged.
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function updateClientTerms(session: Session, client: OAuthClient): Promise<void> {
  await tables(session)
    .updateTable('oauth_clients')
    .set({
      name: client.name,
      allowed_grants: client.allowedGrants,
      scopes: client.scopes,
      redirect_uris: client.redirectUris,
      audiences: client.audiences,
      requires_pkce: client.requiresPkce,
      id_token_algorithm: client.idTokenAlgorithm,
    })
    .where('id', '=', client.id)
    .execute();
}

export async function selectClientLimits(session: Session, id: OAuthClientId): Promise<ClientLimits> {
  const { limits } = await tables(session)
    .selectFrom('oauth_clients')
    .select('limits')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return limits;
}

export async function updateClientLimits(
  session: Session,
  id: OAuthClientId,
  limits: ClientLimits,
): Promise<void> {
  await tables(session)
    .updateTable('oauth_clients')
    .set({ limits: JSON.stringify(limits) })
    .where('id', '=', id)
    .execute();
}

export async function updateClientDisabled(
  session: Session,
  id: OAuthClientId,
  disabledAt: Date | null,
): Promise<void> {
  await tables(session)
    .updateTable('oauth_clients')
    .set({ disabled_at: disabledAt })
    .where('id', '=', id)
    .execute();
}

export async function updateClientDeleted(
  session: Session,
  id: OAuthClientId,
  deletedAt: Date,
): Promise<void> {
  await tables(session)
    .updateTable('oauth_clients')
    .set({ deleted_at: deletedAt })
    .where('id', '=', id)
    .execute();
}

/** Those of these audiences that resource servers other than this one have claimed. */
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

export async function insertClientSecret(
  session: Session,
  secret: { id: ClientSecretId; clientId: OAuthClientId; digest: Buffer; createdAt: Date },
): Promise<void> {
  await tables(session)
    .insertInto('oauth_client_secrets')
    .values({
      id: secret.id,
      client_id: secret.clientId,
      digest: secret.digest,
      created_at: secret.createdAt,
    })
    .execute();
}

/** The live secrets of a client, oldest first. */
export async function selectSecrets(session: Session, clientId: OAuthClientId): Promise<ClientSecret[]> {
  return tables(session)
    .selectFrom('oauth_client_secrets')
    .select(['id', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function updateSecretsRevoked(
  session: Session,
  ids: readonly ClientSecretId[],
  revokedAt: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await tables(session)
    .updateTable('oauth_client_secrets')
    .set({ revoked_at: revokedAt })
    .where('id', 'in', ids)
    .where('revoked_at', 'is', null)
    .execute();
}

// Rows are locked in one order, so that two nodes never wait for each other.
const NOTE_SECRET_USE = statement(
  'note_secret_use',
  `update {schema}.oauth_client_secrets s set last_used_at = used.at
   from (select digest, ($2::timestamptz[])[array_position($1::bytea[], digest)] as at
         from {schema}.oauth_client_secrets
         where digest = any($1::bytea[]) order by digest ${expectOne('$1')} for update) used
   where s.digest = used.digest and (s.last_used_at is null or s.last_used_at < used.at)`,
);

export async function noteSecretUse(
  session: Session,
  uses: readonly { digest: Uint8Array; at: Date }[],
): Promise<void> {
  await session.run(NOTE_SECRET_USE, [uses.map(({ digest }) => digest), uses.map(({ at }) => at)]);
}

/** How a registered client authenticates at the token endpoint (RFC 7591 §2). */
export const authMethods = ['client_secret_basic', 'client_secret_post', 'none'] as const;
export type AuthMethod = (typeof authMethods)[number];

export interface StoredRegistration {
  client: OAuthClient;
  authMethod: AuthMethod;
}

export async function insertRegistration(
  session: Session,
  registration: { clientId: OAuthClientId; tokenDigest: Buffer; authMethod: AuthMethod; registeredAt: Date },
): Promise<void> {
  await tables(session)
    .insertInto('oauth_client_registrations')
    .values({
      client_id: registration.clientId,
      token_digest: registration.tokenDigest,
      auth_method: registration.authMethod,
      registered_at: registration.registeredAt,
    })
    .execute();
}

export async function selectIsRegistered(session: Session, clientId: OAuthClientId): Promise<boolean> {
  const row = await tables(session)
    .selectFrom('oauth_client_registrations')
    .select('client_id')
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks its client until the transaction ends. Null where that is disabled or deleted. */
export async function lockRegistration(
  session: Session,
  tokenDigest: Buffer,
): Promise<StoredRegistration | null> {
  const row = await tables(session)
    .selectFrom('oauth_client_registrations')
    .innerJoin('oauth_clients', 'oauth_clients.id', 'oauth_client_registrations.client_id')
    .select([...clientColumns, 'auth_method as authMethod'])
    .where('token_digest', '=', tokenDigest)
    .where('disabled_at', 'is', null)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate('oauth_clients')
    .executeTakeFirst();
  if (!row) return null;
  const { authMethod, ...client } = row;
  return { client, authMethod };
}

export async function updateRegistration(
  session: Session,
  clientId: OAuthClientId,
  authMethod: AuthMethod,
): Promise<void> {
  await tables(session)
    .updateTable('oauth_client_registrations')
    .set({ auth_method: authMethod })
    .where('client_id', '=', clientId)
    .execute();
}

export async function deleteRegistration(session: Session, clientId: OAuthClientId): Promise<void> {
  await tables(session).deleteFrom('oauth_client_registrations').where('client_id', '=', clientId).execute();
}

const registrationTokenColumns = [
  'id',
  'scopes',
  'allowed_grants as allowedGrants',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'used_at as usedAt',
] as const;

export async function insertRegistrationToken(
  session: Session,
  token: RegistrationToken,
  digest: Buffer,
): Promise<void> {
  await tables(session)
    .insertInto('oauth_registration_tokens')
    .values({
      id: token.id,
      digest,
      scopes: token.scopes,
      allowed_grants: token.allowedGrants,
      created_at: token.createdAt,
      expires_at: token.expiresAt,
      used_at: token.usedAt,
    })
    .execute();
}

/** Null for a token that is unknown, used or expired. Of two that use it at the same time, one gets it. */
export async function useRegistrationToken(
  session: Session,
  digest: Buffer,
  now: Date,
): Promise<RegistrationToken | null> {
  const row = await tables(session)
    .updateTable('oauth_registration_tokens')
    .set({ used_at: now })
    .where('digest', '=', digest)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(registrationTokenColumns)
    .executeTakeFirst();
  return row ?? null;
}

export async function selectRegistrationTokens(
  session: Session,
  page: PageRequest,
): Promise<RegistrationToken[]> {
  return tables(session)
    .selectFrom('oauth_registration_tokens')
    .select(registrationTokenColumns)
    .$if(page.after !== null, (query) => query.where('id', '>', cursor<RegistrationTokenId>(page.after)))
    .orderBy('id')
    .limit(page.limit + 1)
    .execute();
}

export async function deleteRegistrationToken(session: Session, id: RegistrationTokenId): Promise<boolean> {
  const { numDeletedRows } = await tables(session)
    .deleteFrom('oauth_registration_tokens')
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export const deleteRegistrationTokens = deletion<Date>('delete_registration_tokens', {
  table: 'oauth_registration_tokens',
  where: 'expires_at <= $1',
  orderBy: 'expires_at',
});

const LOCK_OLD_REGISTRATIONS = statement(
  'lock_old_registrations',
  `select client_id as "clientId" from {schema}.oauth_client_registrations
   where used_at is null and registered_at <= $1 order by registered_at limit $2 for update skip locked`,
);

/** Some registrations from before this instant that were not looked at before. */
export async function lockOldRegistrations(
  session: Session,
  before: Date,
  limit: number,
): Promise<OAuthClientId[]> {
  const rows = await session.run<{ clientId: OAuthClientId }>(LOCK_OLD_REGISTRATIONS, [before, limit]);
  return rows.map(({ clientId }) => clientId);
}

// In use is also a client whose organization has anything else in it: that does not leave with the client.
const MARK_USED = statement(
  'mark_used_registrations',
  `update {schema}.oauth_client_registrations r set used_at = $2
   from {schema}.oauth_clients c
   where r.client_id = any($1::text[]) and c.id = r.client_id and (
     exists (select 1 from {schema}.oauth_grants g where g.client_id = c.id)
     or exists (select 1 from {schema}.oauth_consents k where k.client_id = c.id)
     or exists (select 1 from {schema}.oauth_codes o where o.client_id = c.id)
     or exists (select 1 from {schema}.oauth_client_secrets s
                where s.client_id = c.id and s.last_used_at is not null)
     or exists (select 1 from {schema}.oauth_clients other
                where other.organization_id = c.organization_id and other.id <> c.id)
     or exists (select 1 from {schema}.memberships m where m.organization_id = c.organization_id)
     or exists (select 1 from {schema}.products p where p.organization_id = c.organization_id)
     or exists (select 1 from {schema}.webhook_endpoints w where w.organization_id = c.organization_id))
   returning r.client_id as "clientId"`,
);

/** Marks those of these registrations whose client is in use, and returns the others. */
export async function unusedOf(
  session: Session,
  ids: readonly OAuthClientId[],
  now: Date,
): Promise<OAuthClientId[]> {
  const used = await session.run<{ clientId: OAuthClientId }>(MARK_USED, [ids, now]);
  return ids.filter((id) => !used.some(({ clientId }) => clientId === id));
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
export const deleteClients = deletion<Date>('delete_clients', {
  table: 'oauth_clients',
  where: `deleted_at <= $1
    and not exists (select 1 from {schema}.oauth_grants g where g.client_id = oauth_clients.id)`,
  orderBy: 'id',
});
