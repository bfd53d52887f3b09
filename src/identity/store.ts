import { type Kysely, sql } from 'kysely';
import type { PageRequest, SearchRequest } from '../kernel/page.ts';
import { present } from '../kernel/presence.ts';
import type { Columns, Session } from '../storage/database.ts';
import { containing, cursor } from '../storage/list-query.ts';
import { statement } from '../storage/statement.ts';
import { wordSearch } from '../storage/word-search.ts';
import type {
  Member,
  Membership,
  OperatorKey,
  OperatorKeyId,
  Organization,
  OrganizationId,
  User,
  UserId,
} from './types.ts';

interface Tables {
  organizations: Columns<Organization> & { self_registered: boolean; deleted_at: Date | null };
  users: Columns<User> & { password_hash: string; deleted_at: Date | null };
  memberships: Columns<Membership>;
  operator_keys: Columns<OperatorKey> & { digest: Uint8Array };
}

const tables = (session: Session): Kysely<Tables> => session.tables<Tables>();

const organizationColumns = ['id', 'name', 'suspended_at as suspendedAt', 'created_at as createdAt'] as const;
const userColumns = ['id', 'email', 'name', 'blocked_at as blockedAt', 'created_at as createdAt'] as const;
const operatorKeyColumns = [
  'id',
  'name',
  'role',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
  'revoked_at as revokedAt',
] as const;

export async function insertOrganization(
  session: Session,
  { id, name, createdAt }: Organization,
  selfRegistered: boolean,
): Promise<void> {
  await tables(session)
    .insertInto('organizations')
    .values({ id, name, created_at: createdAt, self_registered: selfRegistered })
    .execute();
}

export async function selectSelfRegistered(session: Session, id: OrganizationId): Promise<boolean | null> {
  const row = await tables(session)
    .selectFrom('organizations')
    .select('self_registered')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.self_registered ?? null;
}

/** Locks the organization until the transaction ends. */
export async function lockOrganization(session: Session, id: OrganizationId): Promise<Organization | null> {
  const row = await tables(session)
    .selectFrom('organizations')
    .select(organizationColumns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function deleteOrganizations(session: Session, ids: readonly OrganizationId[]): Promise<void> {
  await tables(session).deleteFrom('organizations').where('id', 'in', ids).execute();
}

export async function updateOrganizationName(
  session: Session,
  id: OrganizationId,
  name: string,
): Promise<void> {
  await tables(session).updateTable('organizations').set({ name }).where('id', '=', id).execute();
}

/** Null: it is no longer suspended. */
export async function updateOrganizationSuspended(
  session: Session,
  id: OrganizationId,
  suspendedAt: Date | null,
): Promise<void> {
  await tables(session)
    .updateTable('organizations')
    .set({ suspended_at: suspendedAt })
    .where('id', '=', id)
    .execute();
}

/** SQL for the statements of other rooms: when the organization of this id was suspended, or null. */
export const organizationSuspendedAt = (id: string): string =>
  `(select o.suspended_at from {schema}.organizations o where o.id = ${id})`;

/** SQL for the statements of other rooms: whether a client that registered itself made the organization of this id. */
export const organizationSelfRegistered = (id: string): string =>
  `(select o.self_registered from {schema}.organizations o where o.id = ${id})`;

/** By a part of the name, or by id. */
export async function selectOrganizations(session: Session, page: SearchRequest): Promise<Organization[]> {
  const { search } = page;
  return tables(session)
    .selectFrom('organizations')
    .select(organizationColumns)
    .where('deleted_at', 'is', null)
    .$if(page.after !== null, (query) => query.where('id', '>', cursor<OrganizationId>(page.after)))
    .$if(search !== undefined, (query) =>
      query.where((is) =>
        is.or([is('id', '=', sql<OrganizationId>`${search}`), is('name', 'ilike', containing(search ?? ''))]),
      ),
    )
    .orderBy('id')
    .limit(page.limit + 1)
    .execute();
}

/** By the beginnings of words of the name. */
export const searchOrganizations = wordSearch<Organization>('search_organizations', {
  table: 'organizations',
  text: 'name',
  select: 'id, name, suspended_at as "suspendedAt", created_at as "createdAt"',
  name: 'name',
});

export async function selectOrganizationsById(
  session: Session,
  ids: readonly OrganizationId[],
): Promise<Organization[]> {
  if (ids.length === 0) return [];
  return tables(session)
    .selectFrom('organizations')
    .select(organizationColumns)
    .where('id', '=', sql<OrganizationId>`any(${ids}::text[])`)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
}

export async function insertUser(session: Session, user: User, passwordHash: string): Promise<void> {
  await tables(session)
    .insertInto('users')
    .values({
      id: user.id,
      email: user.email,
      name: user.name,
      password_hash: passwordHash,
      blocked_at: user.blockedAt,
      created_at: user.createdAt,
    })
    .execute();
}

/** By a part of the name or the address, or by id. */
export async function selectUsers(session: Session, page: SearchRequest): Promise<User[]> {
  const { search } = page;
  return tables(session)
    .selectFrom('users')
    .select(userColumns)
    .where('deleted_at', 'is', null)
    .$if(page.after !== null, (query) => query.where('id', '>', cursor<UserId>(page.after)))
    .$if(search !== undefined, (query) =>
      query.where((is) =>
        is.or([
          is('id', '=', sql<UserId>`${search}`),
          is('name', 'ilike', containing(search ?? '')),
          is('email', 'ilike', containing(search ?? '')),
        ]),
      ),
    )
    .orderBy('id')
    .limit(page.limit + 1)
    .execute();
}

/** By the beginnings of words of the name and the address. */
export const searchUsers = wordSearch<User>('search_users', {
  table: 'users',
  text: "name || ' ' || email",
  select: 'id, email, name, blocked_at as "blockedAt", created_at as "createdAt"',
  name: 'name',
});

export async function selectUser(session: Session, id: UserId): Promise<User | null> {
  const row = await tables(session)
    .selectFrom('users')
    .select(userColumns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

export async function selectUserNames(
  session: Session,
  ids: readonly UserId[],
): Promise<Pick<User, 'id' | 'name'>[]> {
  return tables(session)
    .selectFrom('users')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute();
}

export async function selectUserByEmail(
  session: Session,
  email: string,
): Promise<{ user: User; passwordHash: string } | null> {
  const row = await tables(session)
    .selectFrom('users')
    .select([...userColumns, 'password_hash'])
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .executeTakeFirst();
  if (!row) return null;
  const { password_hash: passwordHash, ...user } = row;
  return { user, passwordHash };
}

export async function selectPasswordHash(session: Session, id: UserId): Promise<string | null> {
  const row = await tables(session)
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', id)
    .where('blocked_at', 'is', null)
    .executeTakeFirst();
  return row?.password_hash ?? null;
}

/** Changes nothing if the password was changed meanwhile. */
export async function updatePasswordHash(
  session: Session,
  id: UserId,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tables(session)
    .updateTable('users')
    .set({ password_hash: to })
    .where('id', '=', id)
    .where('password_hash', '=', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function replacePasswordHash(session: Session, id: UserId, passwordHash: string): Promise<void> {
  await tables(session)
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', id)
    .execute();
}

export async function updateUserBlocked(
  session: Session,
  id: UserId,
  blockedAt: Date | null,
): Promise<User | null> {
  const row = await tables(session)
    .updateTable('users')
    // A user who is blocked already keeps the earlier time.
    .set((eb) => ({ blocked_at: blockedAt && eb.fn.coalesce('blocked_at', eb.val(blockedAt)) }))
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning(userColumns)
    .executeTakeFirst();
  return row ?? null;
}

/** Takes away all that says who it was. The address can be used again. */
export async function eraseUser(session: Session, id: UserId, deletedAt: Date): Promise<void> {
  await tables(session)
    .updateTable('users')
    .set({ email: `${id}@deleted.invalid`, name: 'Deleted user', password_hash: '', deleted_at: deletedAt })
    .where('id', '=', id)
    .execute();
}

export async function eraseOrganization(
  session: Session,
  id: OrganizationId,
  deletedAt: Date,
): Promise<void> {
  await tables(session)
    .updateTable('organizations')
    .set({ name: 'Deleted organization', deleted_at: deletedAt })
    .where('id', '=', id)
    .execute();
}

/** Leaves an existing membership as it is, and returns the stored one. */
export async function insertMembership(session: Session, membership: Membership): Promise<Membership> {
  const { organizationId, userId, createdAt } = membership;
  const row = await tables(session)
    .insertInto('memberships')
    .values({ organization_id: organizationId, user_id: userId, created_at: createdAt })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'organization_id'])
        .doUpdateSet((eb) => ({ created_at: eb.ref('memberships.created_at') })),
    )
    .returning('created_at as createdAt')
    .executeTakeFirstOrThrow();
  return { organizationId, userId, createdAt: row.createdAt };
}

export async function deleteMembership(
  session: Session,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<boolean> {
  const { numDeletedRows } = await tables(session)
    .deleteFrom('memberships')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function selectMembers(
  session: Session,
  organizationId: OrganizationId,
  page: PageRequest,
): Promise<Member[]> {
  return tables(session)
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select([
      'memberships.organization_id as organizationId',
      'memberships.user_id as userId',
      'memberships.created_at as createdAt',
      'users.email',
      'users.name',
    ])
    .where('memberships.organization_id', '=', organizationId)
    .$if(page.after !== null, (query) => query.where('memberships.user_id', '>', cursor<UserId>(page.after)))
    .orderBy('memberships.user_id')
    .limit(page.limit + 1)
    .execute();
}

export async function selectOrganizationsOfUser(session: Session, userId: UserId): Promise<Organization[]> {
  return tables(session)
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select([
      'organizations.id',
      'organizations.name',
      'organizations.suspended_at as suspendedAt',
      'organizations.created_at as createdAt',
    ])
    .where('memberships.user_id', '=', userId)
    .orderBy('organizations.name')
    .orderBy('organizations.id')
    .execute();
}

export async function insertOperatorKey(session: Session, key: OperatorKey, digest: Buffer): Promise<void> {
  await tables(session)
    .insertInto('operator_keys')
    .values({
      id: key.id,
      name: key.name,
      role: key.role,
      digest,
      created_at: key.createdAt,
      last_used_at: key.lastUsedAt,
      revoked_at: key.revokedAt,
    })
    .execute();
}

export async function selectOperatorKeys(session: Session, page: PageRequest): Promise<OperatorKey[]> {
  return tables(session)
    .selectFrom('operator_keys')
    .select(operatorKeyColumns)
    .$if(page.after !== null, (query) => query.where('id', '>', cursor<OperatorKeyId>(page.after)))
    .orderBy('id')
    .limit(page.limit + 1)
    .execute();
}

export async function selectLiveOperatorKeys(session: Session): Promise<OperatorKey[]> {
  return tables(session)
    .selectFrom('operator_keys')
    .select(operatorKeyColumns)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .execute();
}

export async function selectOperatorKey(session: Session, id: OperatorKeyId): Promise<OperatorKey | null> {
  const row = await tables(session)
    .selectFrom('operator_keys')
    .select(operatorKeyColumns)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

export async function countLiveAdminKeys(session: Session): Promise<number> {
  const { count } = await tables(session)
    .selectFrom('operator_keys')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('role', '=', 'admin')
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

export async function selectOperatorKeyNames(
  session: Session,
  ids: readonly OperatorKeyId[],
): Promise<Pick<OperatorKey, 'id' | 'name'>[]> {
  return tables(session).selectFrom('operator_keys').select(['id', 'name']).where('id', 'in', ids).execute();
}

export async function updateOperatorKeyRevoked(
  session: Session,
  id: OperatorKeyId,
  revokedAt: Date,
): Promise<void> {
  await tables(session)
    .updateTable('operator_keys')
    .set({ revoked_at: revokedAt })
    .where('id', '=', id)
    .execute();
}

// Finds a live key and records its use, at most once a minute so that a busy key does not write at every call.
const USE_OPERATOR_KEY = statement(
  'use_operator_key',
  `with found as (
     select id, name, role, last_used_at from {schema}.operator_keys where digest = $1 and revoked_at is null
   ), noted as (
     update {schema}.operator_keys k set last_used_at = $2 from found
     where k.id = found.id and (found.last_used_at is null or found.last_used_at < $2::timestamptz - interval '1 minute')
   )
   select id, name, role from found`,
);

export async function useOperatorKey(
  session: Session,
  digest: Buffer,
  now: Date,
): Promise<Pick<OperatorKey, 'id' | 'name' | 'role'> | null> {
  const rows = await session.run<Pick<OperatorKey, 'id' | 'name' | 'role'>>(USE_OPERATOR_KEY, [digest, now]);
  return rows[0] ?? null;
}

const COUNT_PEOPLE = statement(
  'count_people',
  `select (select count(*) from {schema}.users where blocked_at is null and deleted_at is null)::int as users,
          (select count(*) from {schema}.memberships)::int as memberships,
          (select count(*) from {schema}.operator_keys where revoked_at is null)::int as "operatorKeys"`,
);

export interface PeopleCounts {
  /** Those that are not blocked. */
  users: number;
  memberships: number;
  /** Live ones. */
  operatorKeys: number;
}

export async function countPeople(session: Session): Promise<PeopleCounts> {
  const [counts] = await session.run<PeopleCounts>(COUNT_PEOPLE, []);
  return present(counts, 'a row of counts');
}
