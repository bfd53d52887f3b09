import { expiryChore } from '../../../environments/chore.ts';
import type { OrganizationId, UserId } from '../../../identity/types.ts';
import { hexOf } from '../../../kernel/digest.ts';
import type { Session } from '../../../storage/database.ts';
import { expectOne, oneByOne, statement } from '../../../storage/statement.ts';
import type { Scope } from '../../scopes/scopes.ts';
import type { NewToken } from '../../tokens/issue-token.ts';
import { DEAD_KEPT_DAYS, type Grant, type GrantId, type OAuthClientId } from '../../types.ts';

export interface StoredCode {
  digest: Uint8Array;
  clientId: OAuthClientId;
  userId: UserId;
  organizationIds: readonly OrganizationId[];
  scopes: readonly Scope[];
  audience: string;
  redirectUri: string;
  /** The client did not name it and need not name it at the exchange (RFC 6749 §4.1.3). */
  redirectUriOmitted: boolean;
  /** RFC 7636, S256. Null where the request had none. */
  codeChallenge: string | null;
  nonce: string | null;
  authenticatedAt: Date;
  expiresAt: Date;
  grantId: GrantId | null;
  usedAt: Date | null;
}

// It reaches no further than the consent it is issued for, however long ago that was given.
const INSERT_CODE = statement(
  'insert_code',
  `insert into {schema}.oauth_codes
     (digest, client_id, user_id, organization_ids, scopes, audience, redirect_uri, redirect_uri_omitted, code_challenge,
      nonce, authenticated_at, expires_at, number)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
           coalesce((select coalesce(k.number, 0) from (${oneByOne('oauth_consents', 'user_id = $3')}) k
                     where k.client_id = $2 and k.audience = $6),
                    nextval('{schema}.membership_numbers')))`,
);

export async function insertCode(
  session: Session,
  code: Omit<StoredCode, 'grantId' | 'usedAt'>,
): Promise<void> {
  await session.run(INSERT_CODE, [
    code.digest,
    code.clientId,
    code.userId,
    code.organizationIds,
    code.scopes,
    code.audience,
    code.redirectUri,
    code.redirectUriOmitted,
    code.codeChallenge,
    code.nonce,
    code.authenticatedAt,
    code.expiresAt,
  ]);
}

const CODE_COLUMNS = `digest, client_id as "clientId", user_id as "userId", organization_ids as "organizationIds", scopes,
   audience, redirect_uri as "redirectUri", redirect_uri_omitted as "redirectUriOmitted",
   code_challenge as "codeChallenge", nonce, authenticated_at as "authenticatedAt", expires_at as "expiresAt",
   grant_id as "grantId", used_at as "usedAt"`;

const FIND_CODES = statement(
  'find_codes',
  `select ${CODE_COLUMNS} from {schema}.oauth_codes where digest = any($1::bytea[])`,
);

/** In the order of the digests; null for those that are unknown. */
export async function findCodes(
  session: Session,
  digests: readonly Buffer[],
): Promise<(StoredCode | null)[]> {
  const codes = await session.run<StoredCode>(FIND_CODES, [digests]);
  const byDigest = new Map(codes.map((code) => [hexOf(code.digest), code]));
  return digests.map((digest) => byDigest.get(hexOf(digest)) ?? null);
}

const LOCK_CODE = statement(
  'lock_code',
  `select ${CODE_COLUMNS} from {schema}.oauth_codes where digest = $1 for update`,
);

/** Locks the code until the transaction ends. */
export async function lockCode(session: Session, digest: Uint8Array): Promise<StoredCode | null> {
  const [code = null] = await session.run<StoredCode>(LOCK_CODE, [digest]);
  return code;
}

/** The exchange of a code for the first tokens of a grant. */
export interface CodeUse {
  digest: Uint8Array;
  grant: Grant;
  access: NewToken;
  /** Null for a client that gets none. */
  refresh: NewToken | null;
  /** The answer, for a client that does not hear it. Null where it is never repeated. */
  repeatable: { sealedAnswer: Buffer; until: Date } | null;
}

// Codes are locked first, and in one order. One that was used or ended since it was read shows that as it is locked, and is
// left out. What is issued after a cut lies after it, also where the clock was set back since.
const USE_CODES = statement(
  'use_codes',
  `with asked as (
     select * from unnest(
       $1::bytea[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[],
       $9::timestamptz[], $10::bytea[], $11::text[], $12::timestamptz[], $13::bytea[], $14::text[], $15::timestamptz[],
       $16::bytea[], $17::timestamptz[]
     ) as a (digest, grant_id, client_id, user_id, organization_ids, scopes, audience, at, grant_expires_at,
             access_digest, access_id, access_expires_at, refresh_digest, refresh_id, refresh_expires_at,
             sealed_answer, repeatable_until)
     ${expectOne('$1')}
   ), held as (
     select digest from {schema}.oauth_codes
     where digest = any($1::bytea[]) and used_at is null order by digest ${expectOne('$1')} for update
   ), used as (
     update {schema}.oauth_codes o set used_at = a.at, grant_id = a.grant_id
     from asked a join held on held.digest = a.digest join {schema}.oauth_clients c on c.id = a.client_id
     where o.digest = a.digest
     returning a.*, string_to_array(a.scopes, ' ') as scope_list, o.number, greatest(a.at, c.revoked_before) as issued_at
   ), granted as (
     insert into {schema}.oauth_grants
       (id, client_id, user_id, organization_ids, scopes, audience, created_at, expires_at, repeatable_until, number)
     select grant_id, client_id, user_id, string_to_array(organization_ids, ' '), scope_list, audience, at,
            grant_expires_at, repeatable_until, number from used
   ), issued as (
     insert into {schema}.oauth_tokens (digest, id, kind, grant_id, scopes, issued_at, expires_at)
     select access_digest, access_id, 'access_token', grant_id, scope_list, issued_at, access_expires_at from used
     union all
     select refresh_digest, refresh_id, 'refresh_token', grant_id, scope_list, issued_at, refresh_expires_at from used
     where refresh_digest is not null
   ), kept as (
     insert into {schema}.oauth_rotations (token_digest, grant_id, successor_digest, scope, sealed_answer, expires_at)
     select digest, grant_id, coalesce(refresh_digest, access_digest), '', sealed_answer, repeatable_until from used
     where sealed_answer is not null
   )
   select grant_id as "grantId" from used`,
);

/** Says of each whether it happened: not where the code was used or ended meanwhile, or is asked for twice. */
export async function useCodes(session: Session, uses: readonly CodeUse[]): Promise<boolean[]> {
  const rows = await session.run<{ grantId: GrantId }>(USE_CODES, [
    uses.map(({ digest }) => digest),
    uses.map(({ grant }) => grant.id),
    uses.map(({ grant }) => grant.clientId),
    uses.map(({ grant }) => grant.subject.id),
    uses.map(({ grant }) => grant.organizationIds.join(' ')),
    uses.map(({ grant }) => grant.scopes.join(' ')),
    uses.map(({ grant }) => grant.audience),
    uses.map(({ grant }) => grant.createdAt),
    uses.map(({ grant }) => grant.expiresAt),
    ...columnsOf(uses.map(({ access }) => access)),
    ...columnsOf(uses.map(({ refresh }) => refresh)),
    uses.map(({ repeatable }) => repeatable?.sealedAnswer ?? null),
    uses.map(({ repeatable }) => repeatable?.until ?? null),
  ]);
  const happened = new Set(rows.map(({ grantId }) => grantId));
  return uses.map(({ grant }) => happened.has(grant.id));
}

function columnsOf(tokens: readonly (NewToken | null)[]): readonly unknown[][] {
  return [
    tokens.map((made) => made?.digest ?? null),
    tokens.map((made) => made?.token.id ?? null),
    tokens.map((made) => made?.token.expiresAt ?? null),
  ];
}

export const codeChore = expiryChore('oauth_codes', DEAD_KEPT_DAYS);
