import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { OrganizationId, UserId } from '../../identity/types.ts';
import type { Session } from '../../storage/database.ts';
import { statement } from '../../storage/statement.ts';
import { TOKEN_COLUMNS, TOKEN_JOINS, type TokenRecord } from '../store.ts';
import type { GrantId, OAuthClientId, Subject } from '../types.ts';
import type { Selection } from './selection.ts';

interface Tables {
  oauth_clients: { id: OAuthClientId; organization_id: OrganizationId };
  oauth_grants: {
    id: GrantId;
    client_id: OAuthClientId;
    user_id: UserId | null;
    organization_ids: readonly OrganizationId[];
    created_at: Date;
    expires_at: Date;
    revoked_at: Date | null;
    revoked_before: Date | null;
  };
  oauth_tokens: {
    grant_id: GrantId;
    issued_at: Date;
    expires_at: Date;
    used_at: Date | null;
    revoked_at: Date | null;
  };
}

const tables = (session: Session): Kysely<Tables> => session.tables<Tables>();

export interface GrantsPage {
  after: GrantId | null;
  limit: number;
  now: Date;
}

/** Grants of the selection in which there is something to end, in the order of ids. */
export async function selectGrantIds(
  session: Session,
  selection: Selection,
  { after, limit, now }: GrantsPage,
): Promise<GrantId[]> {
  const rows = await tables(session)
    .selectFrom('oauth_grants')
    .select('id')
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .$if(after !== null, (query) => query.where('id', '>', after as GrantId))
    .where((grant) => grant.and([...selected(grant, selection), hasToEnd(grant, selection, now)]))
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

type GrantRow = ExpressionBuilder<Tables, 'oauth_grants'>;
type Condition = Expression<SqlBool>;

function selected(grant: GrantRow, { clientId, subject, organizationId }: Selection): Condition[] {
  return [
    ...(clientId ? [grant('client_id', '=', clientId)] : []),
    ...(subject ? [isOf(grant, subject)] : []),
    ...(organizationId ? [clientId ? reaches(grant, organizationId) : concerns(grant, organizationId)] : []),
  ];
}

function isOf(grant: GrantRow, subject: Subject): Condition {
  if (subject.type === 'user') return grant('user_id', '=', subject.id);
  return grant.and([grant('user_id', 'is', null), isOfClientOf(grant, subject.id)]);
}

function concerns(grant: GrantRow, organizationId: OrganizationId): Condition {
  return grant.or([reaches(grant, organizationId), isOfClientOf(grant, organizationId)]);
}

function reaches(grant: GrantRow, organizationId: OrganizationId): Condition {
  return grant('organization_ids', '@>', sql<OrganizationId[]>`array[${organizationId}]::text[]`);
}

function isOfClientOf(grant: GrantRow, organizationId: OrganizationId): Condition {
  const clients = grant.selectFrom('oauth_clients').select('oauth_clients.id');
  return grant('client_id', 'in', clients.where('organization_id', '=', organizationId));
}

function hasToEnd(grant: GrantRow, { issuedBefore }: Selection, now: Date): Condition {
  const usable = grant
    .selectFrom('oauth_tokens')
    .select('oauth_tokens.grant_id')
    .whereRef('oauth_tokens.grant_id', '=', 'oauth_grants.id')
    .where('oauth_tokens.revoked_at', 'is', null)
    .where('oauth_tokens.used_at', 'is', null)
    .where('oauth_tokens.expires_at', '>', now);
  // What a user has allowed ends even if no token is left of it; a client that acts for itself comes again anyway.
  if (issuedBefore === null) return grant.or([grant('user_id', 'is not', null), grant.exists(usable)]);
  return grant.and([
    grant('created_at', '<', issuedBefore),
    grant.or([grant('revoked_before', 'is', null), grant('revoked_before', '<', issuedBefore)]),
    grant.exists(usable.where('oauth_tokens.issued_at', '<', issuedBefore)),
  ]);
}

const LOCK_GRANTS = statement(
  'lock_grants',
  `select id from {schema}.oauth_grants where id = any($1::text[]) and revoked_at is null order by id for update`,
);

/** Until the transaction ends, nobody else does anything to these grants. Answers with those that live. */
export async function lockLiveGrants(session: Session, ids: readonly GrantId[]): Promise<GrantId[]> {
  return (await session.run<{ id: GrantId }>(LOCK_GRANTS, [ids])).map(({ id }) => id);
}

// Whether client and user are in good standing does not matter here: they may be again tomorrow.
const FIND_USABLE_TOKENS = statement(
  'find_usable_tokens',
  `select ${TOKEN_COLUMNS} from {schema}.oauth_tokens t ${TOKEN_JOINS}
   where t.grant_id = any($1::text[]) and t.revoked_at is null and t.used_at is null and t.expires_at > $2
     and (g.revoked_before is null or t.issued_at >= g.revoked_before)
     and ($3::timestamptz is null or t.issued_at < $3)
   order by t.digest`,
);

/** The tokens of these grants that can be used, from before an instant if one is given. */
export async function findUsableTokens(
  session: Session,
  grantIds: readonly GrantId[],
  { now, issuedBefore }: { now: Date; issuedBefore: Date | null },
): Promise<TokenRecord[]> {
  return session.run<TokenRecord>(FIND_USABLE_TOKENS, [grantIds, now, issuedBefore]);
}

const CUT_GRANTS = statement(
  'cut_grants',
  `update {schema}.oauth_grants set revoked_before = greatest(revoked_before, $2) where id = any($1::text[])`,
);

/** From here on, what these grants issued before the instant is dead. They must be locked. */
export async function cutGrants(session: Session, ids: readonly GrantId[], before: Date): Promise<void> {
  await session.run(CUT_GRANTS, [ids, before]);
}

const CUT_CLIENT = statement(
  'cut_client',
  `update {schema}.oauth_clients set revoked_before = greatest(revoked_before, $2) where id = $1`,
);

/** From here on, what was issued to the client before the instant is dead. */
export async function cutClient(session: Session, id: OAuthClientId, before: Date): Promise<void> {
  await session.run(CUT_CLIENT, [id, before]);
}
