import type { Kysely } from 'kysely';
import { expiryChore } from '../../../environments/chore.ts';
import { hexOf } from '../../../kernel/digest.ts';
import { present } from '../../../kernel/presence.ts';
import type { Session } from '../../../storage/database.ts';
import { expectOne, statement } from '../../../storage/statement.ts';
import type { NewToken } from '../../tokens/issue-token.ts';
import type { TokenRecord } from '../../tokens/token-record.ts';
import type { GrantId } from '../../types.ts';

interface Tables {
  oauth_rotations: {
    token_digest: Uint8Array;
    scope: string;
    sealed_answer: Uint8Array | null;
    origin_digest: Uint8Array | null;
    repeats: number;
    expires_at: Date;
  };
}

const tables = (session: Session): Kysely<Tables> => session.tables<Tables>();

const LOCK_GRANT = statement('lock_grant', 'select 1 from {schema}.oauth_grants where id = $1 for update');

/** Locks the grant until the transaction ends. */
export async function lockGrant(session: Session, id: GrantId): Promise<void> {
  await session.run(LOCK_GRANT, [id]);
}

/** The exchange of a refresh token for its successor and an access token. */
export interface Rotation {
  token: Pick<TokenRecord, 'digest' | 'grantId' | 'expiresAt'>;
  access: NewToken;
  successor: NewToken;
  at: Date;
  /** Until then a repeat of the exchange before this one is no theft. */
  graceEnd: Date;
  /** As it was asked for; a repeat asks for the same. */
  scope: string;
  sealedAnswer: Buffer;
  /** Where it came from; a repeat from there has the same. */
  originDigest: Buffer;
}

// Grants are locked first, and in one order: so is every change to them. Whatever happened to a token or its grant since they
// were read shows in the rows as they are locked, and leaves the token out. Using a token proves that the answer of the exchange
// before was received: that answer goes, and its row when the grace is over. The successor keeps all scopes, whatever the access
// token was narrowed to (RFC 6749 §6), and those that its client may not have at the moment.
const ROTATE_TOKENS = statement(
  'rotate_tokens',
  `with asked as (
     select * from unnest(
       $1::bytea[], $2::text[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::text[], $7::bytea[],
       $8::bytea[], $9::text[], $10::text[], $11::timestamptz[],
       $12::bytea[], $13::text[], $14::timestamptz[], $15::bytea[]
     ) as a (digest, grant_id, at, grace_end, kept_until, scope, sealed_answer,
             access_digest, access_id, access_scopes, access_expires_at,
             successor_digest, successor_id, successor_expires_at, origin_digest)
     ${expectOne('$1')}
   ), held as (
     select id, client_id, revoked_before from {schema}.oauth_grants
     where id = any($2::text[]) and revoked_at is null order by id ${expectOne('$2')} for update
   ), used as (
     update {schema}.oauth_tokens t set used_at = a.at
     from asked a join held g on g.id = a.grant_id join {schema}.oauth_clients c on c.id = g.client_id
     where t.digest = a.digest and t.used_at is null and t.revoked_at is null
       and t.issued_at >= coalesce(greatest(g.revoked_before, c.revoked_before), '-infinity')
     returning a.*, t.scopes, greatest(a.at, g.revoked_before, c.revoked_before) as issued_at
   ), issued as (
     insert into {schema}.oauth_tokens (digest, id, kind, grant_id, scopes, issued_at, expires_at)
     select access_digest, access_id, 'access_token', grant_id, string_to_array(access_scopes, ' '), issued_at,
            access_expires_at from used
     union all
     select successor_digest, successor_id, 'refresh_token', grant_id, scopes, issued_at, successor_expires_at from used
   ), received as (
     update {schema}.oauth_rotations r set sealed_answer = null, expires_at = used.grace_end
     from used where r.successor_digest = used.digest
   )
   insert into {schema}.oauth_rotations
     (token_digest, grant_id, successor_digest, scope, sealed_answer, expires_at, origin_digest)
   select digest, grant_id, successor_digest, scope, sealed_answer, kept_until, origin_digest from used
   returning successor_digest as "successorDigest"`,
);

/** Says of each whether it happened: not where the token was used or revoked meanwhile, or asked for twice. */
export async function rotateTokens(session: Session, rotations: readonly Rotation[]): Promise<boolean[]> {
  const rows = await session.run<{ successorDigest: Uint8Array }>(ROTATE_TOKENS, [
    rotations.map(({ token }) => token.digest),
    rotations.map(({ token }) => token.grantId),
    rotations.map(({ at }) => at),
    rotations.map(({ graceEnd }) => graceEnd),
    rotations.map(({ token }) => token.expiresAt),
    rotations.map(({ scope }) => scope),
    rotations.map(({ sealedAnswer }) => sealedAnswer),
    rotations.map(({ access }) => access.digest),
    rotations.map(({ access }) => access.token.id),
    rotations.map(({ access }) => access.token.scopes.join(' ')),
    rotations.map(({ access }) => access.token.expiresAt),
    rotations.map(({ successor }) => successor.digest),
    rotations.map(({ successor }) => successor.token.id),
    rotations.map(({ successor }) => successor.token.expiresAt),
    rotations.map(({ originDigest }) => originDigest),
  ]);
  const happened = new Set(rows.map(({ successorDigest }) => hexOf(successorDigest)));
  return rotations.map(({ successor }) => happened.has(hexOf(successor.digest)));
}

/** The stored answer of an exchange. */
export interface RotationAnswer {
  scope: string;
  /** Null once the successor was used. */
  sealedAnswer: Uint8Array | null;
  originDigest: Uint8Array | null;
}

export async function selectRotation(
  session: Session,
  tokenDigest: Uint8Array,
  now: Date,
): Promise<RotationAnswer | null> {
  const row = await tables(session)
    .selectFrom('oauth_rotations')
    .select(['scope', 'sealed_answer as sealedAnswer', 'origin_digest as originDigest'])
    .where('token_digest', '=', tokenDigest)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row ?? null;
}

const COUNT_REPEAT = statement(
  'count_repeat',
  'update {schema}.oauth_rotations set repeats = repeats + 1 where token_digest = $1 returning repeats',
);

/** Counts a repetition of the answer, and returns how many there were. */
export async function countRepeat(session: Session, tokenDigest: Uint8Array): Promise<number> {
  const [row] = await session.run<{ repeats: number }>(COUNT_REPEAT, [tokenDigest]);
  return present(row, 'the answer that is repeated').repeats;
}

/** A stored answer goes with the token or soon after the code that it answers, or soon after its successor was used. */
export const rotationChore = expiryChore('oauth_rotations');
