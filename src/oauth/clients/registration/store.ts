import type { Kysely } from 'kysely';
import { expiryChore } from '../../../environments/chore.ts';
import type { OrganizationId } from '../../../identity/types.ts';
import type { PageRequest } from '../../../kernel/page.ts';
import { present } from '../../../kernel/presence.ts';
import type { Columns, Session } from '../../../storage/database.ts';
import { cursor } from '../../../storage/list-query.ts';
import { statement } from '../../../storage/statement.ts';
import {
  DEAD_KEPT_DAYS,
  type OAuthClient,
  type OAuthClientId,
  type RegistrationToken,
  type RegistrationTokenId,
} from '../../types.ts';
import { type ClientTables, clientColumns } from '../clients/store.ts';

interface Tables extends ClientTables {
  oauth_registration_tokens: Columns<RegistrationToken> & { digest: Uint8Array };
  oauth_client_registrations: {
    client_id: OAuthClientId;
    token_digest: Uint8Array;
    auth_method: AuthMethod;
    registered_at: Date;
    /** When it was first seen to be in use. */
    used_at: Date | null;
  };
}

const tables = (session: Session): Kysely<Tables> => session.tables<Tables>();

/** The authentication methods of the token endpoint for registered clients (RFC 7591 §2). */
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

/** Uses up every token that can still be used. Returns how many. */
export async function useUpRegistrationTokens(session: Session, now: Date): Promise<number> {
  const { numUpdatedRows } = await tables(session)
    .updateTable('oauth_registration_tokens')
    .set({ used_at: now })
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export const registrationTokenChore = expiryChore('oauth_registration_tokens', DEAD_KEPT_DAYS);

const LOCK_OLD_REGISTRATIONS = statement(
  'lock_old_registrations',
  `select r.client_id as "clientId",
          (select c.organization_id from {schema}.oauth_clients c where c.id = r.client_id) as "organizationId"
   from {schema}.oauth_client_registrations r
   where r.used_at is null and r.registered_at <= $1 order by r.registered_at limit $2 for update skip locked`,
);

/** A registration by its client, and the organization that was made for it. */
export interface OldRegistration {
  clientId: OAuthClientId;
  organizationId: OrganizationId;
}

/** Some registrations from before this instant that were not looked at before. */
export async function lockOldRegistrations(
  session: Session,
  before: Date,
  limit: number,
): Promise<OldRegistration[]> {
  return session.run(LOCK_OLD_REGISTRATIONS, [before, limit]);
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
     or c.organization_id = any($3::text[])
     or exists (select 1 from {schema}.webhook_endpoints w where w.organization_id = c.organization_id))
   returning r.client_id as "clientId"`,
);

/** Marks the registrations whose client is in use, or whose organization is, and returns the others. */
export async function unusedOf(
  session: Session,
  ids: readonly OAuthClientId[],
  { now, inUse }: { now: Date; inUse: readonly OrganizationId[] },
): Promise<OAuthClientId[]> {
  const used = await session.run<{ clientId: OAuthClientId }>(MARK_USED, [ids, now, inUse]);
  return ids.filter((id) => !used.some(({ clientId }) => clientId === id));
}

const COUNT_CREDENTIALS = statement(
  'count_credentials',
  `select (select count(*) from {schema}.oauth_clients where disabled_at is null and deleted_at is null)::int as clients,
          (select count(*) from {schema}.oauth_client_secrets where revoked_at is null)::int as secrets,
          (select count(*) from {schema}.oauth_client_registrations)::int as registrations`,
);

export interface CredentialCounts {
  /** Those that are not disabled. */
  clients: number;
  /** Live client secrets. */
  secrets: number;
  /** Registration access tokens. */
  registrations: number;
}

export async function countCredentials(session: Session): Promise<CredentialCounts> {
  const [counts] = await session.run<CredentialCounts>(COUNT_CREDENTIALS, []);
  return present(counts, 'a row of counts');
}
