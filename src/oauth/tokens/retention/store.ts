import type { Session } from '../../../storage/database.ts';
import { deletion } from '../../../storage/deletion.ts';
import { oneByOne, statement } from '../../../storage/statement.ts';
import type { GrantId } from '../../types.ts';

// Every statement deletes some rows that are due and not locked. The rest is deleted another time.

const DELETE_TOKENS = statement(
  'delete_tokens',
  `delete from {schema}.oauth_tokens where ctid = any(array(
     select ctid from {schema}.oauth_tokens
     where used_at is null and expires_at <= $1 order by expires_at limit $2 for update skip locked))
   returning grant_id as "grantId"`,
);

/** Deletes expired tokens, except used refresh tokens. Returns the grant of each. */
export async function deleteTokens(session: Session, before: Date, limit: number): Promise<GrantId[]> {
  const rows = await session.run<{ grantId: GrantId }>(DELETE_TOKENS, [before, limit]);
  return rows.map(({ grantId }) => grantId);
}

const HAS_NO_TOKEN = '(select t.digest from {schema}.oauth_tokens t where t.grant_id = g.id limit 1) is null';

const DELETE_SPENT_GRANTS = statement(
  'delete_spent_grants',
  `with gone as (
     delete from {schema}.oauth_grants where ctid = any(array(
       select locked.ctid from unnest($1::text[]) as asked(id)
       cross join lateral (${oneByOne('oauth_grants', 'id = asked.id')}) g
       cross join lateral (
         select ctid from {schema}.oauth_grants where id = g.id for update skip locked) locked
       where g.user_id is null and ${HAS_NO_TOKEN}))
     returning 1)
   select count(*) as count from gone`,
);

/** Of these grants, deletes those of clients that acted for themselves and have no token left: they get no other. */
export async function deleteSpentGrants(session: Session, ids: readonly GrantId[]): Promise<number> {
  if (ids.length === 0) return 0;
  return count(await session.run<Counted>(DELETE_SPENT_GRANTS, [ids]));
}

/** Where a look through grants has come to: by when they expired, and by their ids. */
export interface Position {
  expiresAt: Date;
  id: string;
}

// A grant of a client that acted for itself has one token. What was revoked stays, and is passed by: the next look begins after it.
const DELETE_CLIENT_CREDENTIALS_TOKENS = statement(
  'delete_own_tokens',
  `with passed as (
     select id, client_id, revoked_at, revoked_before, expires_at from {schema}.oauth_grants
     where user_id is null and expires_at <= $1 and (expires_at, id) > ($2, $3) order by expires_at, id limit $4
   ), dead as (
     select g.place as of_grant, t.ctid as of_token from passed
     cross join lateral (${oneByOne('oauth_clients', 'id = passed.client_id')}) c
     cross join lateral (select ctid as place from {schema}.oauth_grants where id = passed.id for update skip locked) g
     cross join lateral (
       select ctid, issued_at, expires_at, revoked_at from {schema}.oauth_tokens
       where grant_id = passed.id offset 0 for update skip locked) t
     where passed.revoked_at is null and t.revoked_at is null and t.expires_at <= $1
       and t.issued_at >= coalesce(greatest(passed.revoked_before, c.revoked_before), '-infinity')
   ), tokens as (
     delete from {schema}.oauth_tokens where ctid = any(array(select of_token from dead)) returning 1
   ), grants as (
     delete from {schema}.oauth_grants where ctid = any(array(select of_grant from dead)) returning 1
   )
   select (select count(*) from tokens) as tokens, (select count(*) from grants) as grants,
          (select count(*) from passed) as passed, last.expires_at as "expiresAt", last.id
   from (select expires_at, id from passed order by expires_at desc, id desc limit 1) last`,
);

export interface DeletedClientCredentialsTokens extends Position {
  tokens: number;
  grants: number;
  /** Looked at, with those that stay. */
  passed: number;
}

/** Deletes expired tokens that clients had for themselves, with their grants, except revoked ones. Null where none was left to look at. */
export async function deleteClientCredentialsTokens(
  session: Session,
  { before, after, limit }: { before: Date; after: Position | null; limit: number },
): Promise<DeletedClientCredentialsTokens | null> {
  const from = [after?.expiresAt ?? '-infinity', after?.id ?? ''];
  const [row = null] = await session.run<DeletedClientCredentialsTokens>(DELETE_CLIENT_CREDENTIALS_TOKENS, [
    before,
    ...from,
    limit,
  ]);
  return row;
}

// Four ways to be dead, each with its index.
const LOCK_DEAD_GRANTS = statement(
  'lock_dead_grants',
  `select g.id from (
     (select id from {schema}.oauth_grants where revoked_at <= $1 order by revoked_at limit $2)
     union
     (select id from {schema}.oauth_grants
      where user_id is not null and expires_at <= $1 order by expires_at limit $2)
     union
     (select id from {schema}.oauth_grants
      where user_id is null and expires_at <= $1 order by expires_at, id limit $2)
     union
     (select g.id from (
        select id from {schema}.oauth_clients where deleted_at <= $1 order by deleted_at offset 0) c
      cross join lateral (
        select id from {schema}.oauth_grants where client_id = c.id order by client_id, id limit $2) g
      limit $2)
     order by id) dead
   cross join lateral (select id from {schema}.oauth_grants where id = dead.id for update skip locked) g`,
);

/** Locks grants that died before an instant, until the transaction ends. */
export async function lockDeadGrants(session: Session, before: Date, limit: number): Promise<GrantId[]> {
  return (await session.run<{ id: GrantId }>(LOCK_DEAD_GRANTS, [before, limit])).map(({ id }) => id);
}

export const deleteTokensOf = deletion<readonly GrantId[]>('delete_tokens_of', {
  table: 'oauth_tokens',
  where: 'grant_id = any($1::text[])',
  orderBy: 'grant_id',
});

const DELETE_EMPTY_GRANTS = statement(
  'delete_empty_grants',
  `with gone as (
     delete from {schema}.oauth_grants where ctid = any(array(
       select g.ctid from unnest($1::text[]) as asked(id)
       cross join lateral (select ctid, id from {schema}.oauth_grants where id = asked.id offset 0) g
       where ${HAS_NO_TOKEN}))
     returning 1)
   select count(*) as count from gone`,
);

/** Of these grants, which must be locked, deletes those that have no token left. */
export async function deleteEmptyGrants(session: Session, ids: readonly GrantId[]): Promise<number> {
  return count(await session.run<Counted>(DELETE_EMPTY_GRANTS, [ids]));
}

interface Counted {
  count: number;
}

function count([row]: readonly Counted[]): number {
  return row?.count ?? 0;
}
