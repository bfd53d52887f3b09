import type { Kysely } from 'kysely';
import type { OrganizationId, UserId } from '../../identity/types.ts';
import { hexOf } from '../../kernel/digest.ts';
import { ID_END } from '../../kernel/ids.ts';
import { keysOf, present } from '../../kernel/presence.ts';
import type { Columns, ReadSession, Session } from '../../storage/database.ts';
import { expectOne, oneByOne, statement } from '../../storage/statement.ts';
import { UndoneError } from '../../storage/storage-error.ts';
import { SIGNING_KEY_NAMES } from '../signing/store.ts';
import type { ClientKind, Grant, GrantId, OAuthClientId, Token, TokenId } from '../types.ts';
import type { GrantRecord, Instant, TokenRecord, TokenRow } from './token-record.ts';

interface Tables {
  oauth_grants: Columns<Omit<Grant, 'subject'>> & {
    user_id: UserId | null;
    revoked_at: Date | null;
    revoked_before: Date | null;
  };
}

const tables = (session: Session): Kysely<Tables> => session.tables<Tables>();

export async function insertGrant(session: Session, grant: Grant): Promise<void> {
  await tables(session)
    .insertInto('oauth_grants')
    .values({
      id: grant.id,
      client_id: grant.clientId,
      user_id: grant.subject.type === 'user' ? grant.subject.id : null,
      organization_ids: grant.organizationIds,
      scopes: grant.scopes,
      audience: grant.audience,
      created_at: grant.createdAt,
      expires_at: grant.expiresAt,
    })
    .execute();
}

// What is issued after a cut lies after it, also where the clock was set back since: it would be dead on arrival otherwise.
const INSERT_TOKEN = statement(
  'insert_token',
  `insert into {schema}.oauth_tokens (digest, id, kind, grant_id, scopes, issued_at, expires_at)
   select $1::bytea, $2::text, $3::text, g.id, $5::text[],
          greatest($6::timestamptz, g.revoked_before, c.revoked_before), $7::timestamptz
   from {schema}.oauth_grants g join {schema}.oauth_clients c on c.id = g.client_id
   where g.id = $4::text
   returning issued_at as "issuedAt"`,
);

/** Returns the token as it is stored. */
export async function insertToken(session: Session, token: Token, digest: Buffer): Promise<Token> {
  const { id, kind, grantId, scopes, issuedAt, expiresAt } = token;
  const values = [digest, id, kind, grantId, scopes, issuedAt, expiresAt];
  const [stored] = await session.run<Pick<Token, 'issuedAt'>>(INSERT_TOKEN, values);
  return { ...token, ...present(stored, 'the grant of a new token') };
}

/** A token of a client for itself, with the grant that it is the only token of. */
export interface ClientCredentialsToken {
  grant: Grant;
  token: Token;
  digest: Buffer;
}

const INSERT_CLIENT_CREDENTIALS_TOKENS = statement(
  'insert_own_tokens',
  `with issued as (
     select i.*, string_to_array(i.scope, ' ') as scopes, c.organization_id, c.revoked_before
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[],
                 $7::bytea[], $8::text[], $9::timestamptz[])
       as i (grant_id, client_id, scope, audience, created_at, grant_expires_at, digest, token_id, expires_at)
     cross join lateral (${oneByOne('oauth_clients', 'id = i.client_id')}) c
   ), granted as (
     insert into {schema}.oauth_grants
       (id, client_id, organization_ids, scopes, audience, created_at, expires_at, number)
     select grant_id, client_id, array[organization_id], scopes, audience, created_at, grant_expires_at, null from issued
   )
   insert into {schema}.oauth_tokens (digest, id, kind, grant_id, scopes, issued_at, expires_at)
   select digest, token_id, 'access_token', grant_id, scopes, greatest(created_at, revoked_before), expires_at
   from issued returning id`,
);

/** Stores tokens of clients for themselves, all or none of them. */
export async function insertClientCredentialsTokens(
  session: Session,
  tokens: readonly ClientCredentialsToken[],
): Promise<void> {
  const stored = await session.run(INSERT_CLIENT_CREDENTIALS_TOKENS, [
    tokens.map(({ grant }) => grant.id),
    tokens.map(({ grant }) => grant.clientId),
    tokens.map(({ grant }) => grant.scopes.join(' ')),
    tokens.map(({ grant }) => grant.audience),
    tokens.map(({ grant }) => grant.createdAt),
    tokens.map(({ grant }) => grant.expiresAt),
    tokens.map(({ digest }) => digest),
    tokens.map(({ token }) => token.id),
    tokens.map(({ token }) => token.expiresAt),
  ]);
  // A client that was there a moment ago is not.
  if (stored.length < tokens.length) throw new UndoneError();
}

const suspendedAt = (organizationId: string): string =>
  `(select o.suspended_at from {schema}.organizations o where o.id = ${organizationId} and o.suspended_at is not null)`;

// Memberships are read live: a user who left an organization loses it at once, and does not get it back by joining again, since
// that membership began after the grant was given. While an organization is suspended, everyone loses it.
const ORGANIZATION_IDS = `
  case when g.user_id is null then g.organization_ids
       else array(select m.organization_id from {schema}.memberships m
                  where m.user_id = g.user_id and m.organization_id = any(g.organization_ids)
                    and m.number <= coalesce(g.number, 0)
                    and ${suspendedAt('m.organization_id')} is null
                  order by m.organization_id)
  end`;

// Of the granted scopes those that the client may still have, in the order in which they were granted. That all are left is
// the usual case, and takes no more than a comparison.
const SCOPES = `
  case when t.scopes <@ c.scopes then t.scopes
       else array(select granted.scope from unnest(t.scopes) with ordinality as granted(scope, place)
                  where granted.scope = any(c.scopes) order by granted.place)
  end`;

/** The columns that decide whether a token is active, and for whom. */
const columns = {
  id: 't.id',
  kind: 't.kind',
  scopes: SCOPES,
  hasLostScopes: 'not t.scopes <@ c.scopes',
  grantId: 'g.id',
  audience: 'g.audience',
  clientId: 'c.id',
  clientOrganizationId: 'c.organization_id',
  userId: 'u.id',
  organizationIds: ORGANIZATION_IDS,
} satisfies Record<Exclude<keyof TokenRow, Instant>, string>;

const instants = {
  issuedAt: 't.issued_at',
  expiresAt: 't.expires_at',
  revokedAt: 't.revoked_at',
  usedAt: 't.used_at',
  grantExpiresAt: 'g.expires_at',
  grantRevokedAt: 'g.revoked_at',
  grantRevokedBefore: 'g.revoked_before',
  repeatableUntil: 'g.repeatable_until',
  clientDisabledAt: 'c.disabled_at',
  clientDeletedAt: 'c.deleted_at',
  clientRevokedBefore: 'c.revoked_before',
  userBlockedAt: 'u.blocked_at',
  organizationSuspendedAt: `case when g.user_id is null then ${suspendedAt('c.organization_id')} end`,
} satisfies Record<Instant, string>;

const instantNames = keysOf(instants);

/** Rounded down, as a `Date` is: a token must not look as if it had been issued after a cut that it lies before. */
const milliseconds = (instant: string): string => `floor(extract(epoch from ${instant}) * 1000)`;

const members = [
  ...Object.entries(columns).map(([name, sql]) => `'${name}', ${sql}`),
  ...Object.entries(instants).map(([name, sql]) => `'${name}', ${milliseconds(sql)}`),
];

/**
 * The token `t` as one JSON text, null where there is none: the driver takes longer for twenty columns than the database
 * for this. It needs `TOKEN_JOINS`.
 */
const TOKEN_JSON = `case when t.id is not null then json_build_object(${members.join(', ')}) end`;

const TOKEN_JOINS = `
  left join lateral (${oneByOne('oauth_grants', 'id = t.grant_id')}) g on true
  left join lateral (${oneByOne('oauth_clients', 'id = g.client_id')}) c on true
  left join lateral (${oneByOne('users', 'id = g.user_id')}) u on true`;

/** Changes the row into a record in place: this runs for every request with a token. */
function tokenOf(row: TokenRow, digest: Uint8Array): TokenRecord {
  const record = row as Record<Instant, unknown>;
  for (const name of instantNames) {
    const at = row[name];
    if (at !== null) record[name] = new Date(at);
  }
  return Object.assign(record, { digest }) as unknown as TokenRecord;
}

interface FoundRow {
  digest: Uint8Array;
  token: TokenRow;
}

/** The tokens of the digests in `$1`, each once. */
const FROM_ASKED = `from (select distinct unnest($1::bytea[]) as digest) asked
   cross join lateral (${oneByOne('oauth_tokens', 'digest = asked.digest')}) t ${TOKEN_JOINS}`;

const FIND_TOKENS = statement(
  'find_tokens',
  `select t.digest, ${TOKEN_JSON} as token
   ${FROM_ASKED}`,
);

/** Finds tokens by their digests, in no particular order. Unknown ones are left out. */
export async function findTokens(session: ReadSession, digests: readonly Buffer[]): Promise<TokenRecord[]> {
  return toRecords(await session.run<FoundRow>(FIND_TOKENS, [digests]));
}

function toRecords(rows: readonly FoundRow[]): TokenRecord[] {
  return rows.map(({ digest, token }) => tokenOf(token, digest));
}

/** In the order of the digests; null for those that are unknown. */
export async function findTokensInOrder(
  session: ReadSession,
  digests: readonly Buffer[],
): Promise<(TokenRecord | null)[]> {
  return inOrder(digests, await findTokens(session, digests), ({ digest }) => digest);
}

function inOrder<Found>(
  digests: readonly Buffer[],
  found: readonly Found[],
  digestOf: (one: Found) => Uint8Array,
): (Found | null)[] {
  const byDigest = new Map(found.map((one) => [hexOf(digestOf(one)), one]));
  return digests.map((digest) => byDigest.get(hexOf(digest)) ?? null);
}

interface FoundRowInUse extends FoundRow {
  signingKeys: string | null;
}

/** A token that somebody uses, and what else every use has to know, as of the same instant. */
export interface TokenInUse {
  token: TokenRecord;
  /** See `ActiveToken`. */
  signingKeys?: string;
}

// The names are read once for a statement, however many tokens it finds: a statement for them alone took a tenth of a forwarded call.
const FIND_TOKENS_IN_USE = statement(
  'find_tokens_in_use',
  `select t.digest, ${TOKEN_JSON} as token, ${SIGNING_KEY_NAMES} as "signingKeys"
   ${FROM_ASKED}`,
);

/** In the order of the digests; null for those that are unknown. */
export async function findTokensInUse(
  session: ReadSession,
  digests: readonly Buffer[],
): Promise<(TokenInUse | null)[]> {
  const rows = await session.run<FoundRowInUse>(FIND_TOKENS_IN_USE, [digests]);
  return inOrder(digests, rows.map(inUse), ({ token }) => token.digest);
}

function inUse({ digest, token, signingKeys }: FoundRowInUse): TokenInUse {
  const record = tokenOf(token, digest);
  return signingKeys === null ? { token: record } : { token: record, signingKeys };
}

const FIND_TOKEN_BY_ID = statement(
  'find_token_by_id',
  `select t.digest, ${TOKEN_JSON} as token from {schema}.oauth_tokens t ${TOKEN_JOINS} where t.id = $1`,
);

export async function findTokenById(session: Session, id: TokenId): Promise<TokenRecord | null> {
  const [found = null] = toRecords(await session.run<FoundRow>(FIND_TOKEN_BY_ID, [id]));
  return found;
}

const TOKENS_OF_GRANT = statement(
  'tokens_of_grant',
  `select t.digest, ${TOKEN_JSON} as token from {schema}.oauth_tokens t ${TOKEN_JOINS}
   where t.grant_id = $1 and t.id < $2 order by t.id desc limit $3::int`,
);

/** Newest first. Reads one more than the limit, to know whether there are more. */
export async function selectTokensOfGrant(
  session: Session,
  id: GrantId,
  { limit, after }: { limit: number; after: string | null },
): Promise<TokenRecord[]> {
  return toRecords(await session.run<FoundRow>(TOKENS_OF_GRANT, [id, after ?? ID_END, limit + 1]));
}

/** A calling client, with what is needed to authenticate it. */
export interface CallingClient {
  id: OAuthClientId;
  organizationId: OrganizationId;
  kind: ClientKind;
  audiences: string[];
  secretDigests: Uint8Array[];
}

export interface LookUpKey {
  clientId: string;
  /** Null where the token cannot be one of ours: the client is looked up all the same. */
  tokenDigest: Buffer | null;
}

export interface LookedUp {
  caller: CallingClient | null;
  token: TokenRecord | null;
}

// One round trip for a whole batch: the calling clients with their live secrets, and the tokens they ask for. These are two
// lists side by side, the shorter one filled up with nulls: a client is returned once, however many of its tokens are.
const LOOK_UP = statement(
  'look_up',
  `select case when cc.id is not null then json_build_object(
            'id', cc.id, 'organizationId', cc.organization_id, 'kind', cc.kind, 'audiences', cc.audiences,
            'secretDigests', array(select encode(s.digest, 'hex') from {schema}.oauth_client_secrets s
                                   where s.client_id = cc.id and s.revoked_at is null)) end as caller,
          ${TOKEN_JSON} as token
   from unnest($1::text[], $2::bytea[]) with ordinality as asked(client_id, digest, number)
   left join lateral (${oneByOne('oauth_clients', 'id = asked.client_id')}) cc
     on cc.disabled_at is null and cc.deleted_at is null
   left join lateral (${oneByOne('oauth_tokens', 'digest = asked.digest')}) t on true
   ${TOKEN_JOINS}
   order by asked.number`,
);

interface CallerRow extends Omit<CallingClient, 'secretDigests'> {
  /** In hexadecimal. */
  secretDigests: readonly string[];
}

interface LookUpRow {
  caller: CallerRow | null;
  token: TokenRow | null;
}

/** In the order of the keys. */
export async function lookUp(session: ReadSession, keys: readonly LookUpKey[]): Promise<LookedUp[]> {
  const rows = await session.run<LookUpRow>(LOOK_UP, [
    [...new Set(keys.map(({ clientId }) => clientId))],
    keys.map(({ tokenDigest }) => tokenDigest),
  ]);
  const callers = new Map<string, CallingClient>();
  for (const { caller } of rows) if (caller !== null) callers.set(caller.id, callerOf(caller));
  return keys.map(({ clientId, tokenDigest }, index) => {
    const token = rows[index]?.token ?? null;
    return {
      caller: callers.get(clientId) ?? null,
      token: token && tokenDigest && tokenOf(token, tokenDigest),
    };
  });
}

function callerOf(row: CallerRow): CallingClient {
  return { ...row, secretDigests: row.secretDigests.map((hex) => Buffer.from(hex, 'hex')) };
}

// Rows are locked in one order, so that two batches never deadlock.
const END_TOKENS = statement(
  'end_tokens',
  `update {schema}.oauth_tokens t set revoked_at = $2
   from (select digest from {schema}.oauth_tokens
         where digest = any($1::bytea[]) and revoked_at is null order by digest
         ${expectOne('$1')} for update) live
   where t.digest = live.digest
   returning t.id`,
);

// Also deletes the stored rotation answer, and the consent: after a revocation the user is asked again. Those rows are
// locked in one order too.
const END_GRANTS = statement(
  'end_grants',
  `with forgotten as (delete from {schema}.oauth_rotations where grant_id = any($1::text[])),
   given as (
     select k.user_id, k.client_id, k.audience
     from (select distinct e.user_id, e.client_id
           from unnest($1::text[]) as asked(id)
           cross join lateral (${oneByOne('oauth_grants', 'id = asked.id')}) e
           where e.revoked_at is null order by e.user_id, e.client_id) ended
     cross join lateral (
       select user_id, client_id, audience from {schema}.oauth_consents
       where user_id = ended.user_id and client_id || '' = ended.client_id order by audience for update) k
   ),
   withdrawn as (
     delete from {schema}.oauth_consents k using given
     where k.user_id = given.user_id and k.client_id || '' = given.client_id and k.audience = given.audience
   )
   update {schema}.oauth_grants g set revoked_at = $2
   from (select id from {schema}.oauth_grants
         where id = any($1::text[]) and revoked_at is null order by id
         ${expectOne('$1')} for update) live
   where g.id = live.id
   returning g.id`,
);

/** Revokes these tokens and no others of their grants. Returns those that were live until now. */
export async function endTokens(
  session: Session,
  digests: readonly Uint8Array[],
  now: Date,
): Promise<TokenId[]> {
  if (digests.length === 0) return [];
  return (await session.run<{ id: TokenId }>(END_TOKENS, [digests, now])).map(({ id }) => id);
}

/** Revokes grants with all their tokens. Returns those that were live until now. */
export async function endGrants(session: Session, ids: readonly GrantId[], now: Date): Promise<GrantId[]> {
  if (ids.length === 0) return [];
  return (await session.run<{ id: GrantId }>(END_GRANTS, [ids, now])).map(({ id }) => id);
}

const CLEAR_REPEATABLE = statement(
  'clear_repeatable',
  `update {schema}.oauth_grants g set repeatable_until = null
   from (select id from {schema}.oauth_grants
         where id = any($1::text[]) and repeatable_until is not null order by id
         ${expectOne('$1')} for update) used
   where g.id = used.id`,
);

/** From now on the answer that these grants began with is not repeated. */
export async function clearRepeatable(session: Session, ids: readonly GrantId[]): Promise<void> {
  await session.run(CLEAR_REPEATABLE, [ids]);
}

const SELECT_GRANTS = statement(
  'select_grants',
  `select g.id as "grantId", g.audience, g.client_id as "clientId", c.organization_id as "clientOrganizationId",
          g.user_id as "userId", g.organization_ids as "organizationIds", g.revoked_before as "revokedBefore"
   from (select distinct unnest($1::text[]) as id) asked
   cross join lateral (${oneByOne('oauth_grants', 'id = asked.id')}) g
   cross join lateral (${oneByOne('oauth_clients', 'id = g.client_id')}) c`,
);

export async function selectGrants(
  session: Session,
  ids: readonly GrantId[],
): Promise<(GrantRecord & { revokedBefore: Date | null })[]> {
  return ids.length === 0 ? [] : session.run(SELECT_GRANTS, [ids]);
}

const HOLD_GRANT = statement(
  'hold_grant',
  `select 1 from {schema}.oauth_grants g join {schema}.oauth_clients c on c.id = g.client_id
   where g.id = $1 for share of g, c`,
);

/** Until the transaction ends, the grant cannot be revoked, nor its client disabled. */
export async function holdGrant(session: Session, id: GrantId): Promise<void> {
  await session.run(HOLD_GRANT, [id]);
}

const HOLD_MEMBERSHIP = statement(
  'hold_membership',
  `select 1 from {schema}.users u join {schema}.memberships m on m.user_id = u.id
   where u.id = $1 and m.organization_id = $2 for share of u, m`,
);

/** Until the transaction ends, the user cannot be blocked or leave the organization. */
export async function holdMembership(
  session: Session,
  userId: UserId,
  organizationId: OrganizationId,
): Promise<void> {
  await session.run(HOLD_MEMBERSHIP, [userId, organizationId]);
}
