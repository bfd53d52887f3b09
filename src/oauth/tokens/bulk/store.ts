import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { OrganizationId, UserId } from '../../../identity/types.ts';
import { present } from '../../../kernel/presence.ts';
import type { Columns, Session } from '../../../storage/database.ts';
import { cursor } from '../../../storage/list-query.ts';
import { statement } from '../../../storage/statement.ts';
import type { EndedAccess } from '../../../webhooks/endpoints/end-access.ts';
import type { Grant, GrantId, OAuthClientId, Subject, TokenId } from '../../types.ts';
import type { Selection } from './selection.ts';

interface Tables {
  oauth_clients: { id: OAuthClientId; organization_id: OrganizationId };
  oauth_grants: Columns<Omit<Grant, 'subject'>> & {
    user_id: UserId | null;
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

/** Grants of the selection that have something to revoke, ordered by id. */
export async function selectGrantIds(
  session: Session,
  selection: Selection,
  page: GrantsPage,
): Promise<GrantId[]> {
  const { after, limit, now } = page;
  const { clientId, subject, organizationId } = selection;
  // Read first, so that the condition on them can use an index.
  const clients: ClientsOf = {
    subject: subject?.type === 'organization' ? await clientIdsOf(session, subject.id) : [],
    organization: organizationId && !clientId ? await clientIdsOf(session, organizationId) : [],
  };
  const rows = await tables(session)
    .selectFrom('oauth_grants')
    .select('id')
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .$if(after !== null, (query) => query.where('id', '>', cursor<GrantId>(after)))
    .where((grant) => grant.and([...selected(grant, selection, clients), hasToEnd(grant, selection, page)]))
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

// Codes live for a minute: there are few, and the live ones are found by their expiry.
const BURN_CODES = statement(
  'burn_codes',
  `update {schema}.oauth_codes set used_at = $1
   where used_at is null and expires_at > $1
     and ($2::text is null or client_id = $2)
     and ($3::text is null or user_id = $3)
     and ($4::text is null or organization_ids @> array[$4::text] or client_id = any($5::text[]))
     and ($6::timestamptz is null or expires_at < $6)
   returning 1`,
);

/**
 * Marks the unused codes of the selection as used, so that they cannot be exchanged. With an instant, only those that
 * expire before it. Returns how many.
 */
export async function burnCodes(
  session: Session,
  { clientId, subject, organizationId }: Selection,
  { now, endingBefore }: { now: Date; endingBefore: Date | null },
): Promise<number> {
  // A code stands for a user's consent.
  if (subject?.type === 'organization') return 0;
  const ofOrganization = organizationId && !clientId ? await clientIdsOf(session, organizationId) : [];
  const userId = subject?.id ?? null;
  const given = [now, clientId, userId, organizationId, ofOrganization, endingBefore];
  return (await session.run(BURN_CODES, given)).length;
}

/** The access that a selection stands for, with or without live grants: webhook endpoints end with it. */
export async function accessOf(session: Session, selection: Selection): Promise<EndedAccess[]> {
  const { clientId, subject, organizationId } = selection;
  const within = {
    ...(clientId ? { clientId } : {}),
    ...(organizationId ? { organizationId } : {}),
  };
  if (subject?.type === 'user') return [{ ...within, userId: subject.id }];
  if (subject?.type === 'organization') {
    const own = await clientIdsOf(session, subject.id);
    const chosen = own.filter((id) => clientId === null || id === clientId);
    return chosen.map((id) => ({ ...within, clientId: id, userId: null }));
  }
  const ofOrganization = organizationId && !clientId ? await clientIdsOf(session, organizationId) : [];
  return [within, ...ofOrganization.map((id) => ({ clientId: id }))];
}

async function clientIdsOf(session: Session, organizationId: OrganizationId): Promise<OAuthClientId[]> {
  const rows = await tables(session)
    .selectFrom('oauth_clients')
    .select('id')
    .where('organization_id', '=', organizationId)
    .execute();
  return rows.map(({ id }) => id);
}

/** The clients of the selected organizations. */
interface ClientsOf {
  subject: readonly OAuthClientId[];
  organization: readonly OAuthClientId[];
}

type GrantRow = ExpressionBuilder<Tables, 'oauth_grants'>;
type Condition = Expression<SqlBool>;

function selected(grant: GrantRow, selection: Selection, clients: ClientsOf): Condition[] {
  const { clientId, subject, organizationId } = selection;
  return [
    ...(clientId ? [grant('client_id', '=', clientId)] : []),
    ...(subject ? [isOf(grant, subject, clients.subject)] : []),
    ...(organizationId
      ? [grant.or([reaches(grant, organizationId), isOfAny(grant, clients.organization)])]
      : []),
  ];
}

function isOf(grant: GrantRow, subject: Subject, clients: readonly OAuthClientId[]): Condition {
  if (subject.type === 'user') return grant('user_id', '=', subject.id);
  return grant.and([grant('user_id', 'is', null), isOfAny(grant, clients)]);
}

function reaches(grant: GrantRow, organizationId: OrganizationId): Condition {
  return grant('organization_ids', '@>', sql<OrganizationId[]>`array[${organizationId}]::text[]`);
}

function isOfAny(grant: GrantRow, clients: readonly OAuthClientId[]): Condition {
  return grant('client_id', '=', sql<OAuthClientId>`any(${clients}::text[])`);
}

function hasToEnd(grant: GrantRow, { issuedBefore }: Selection, { after, now }: GrantsPage): Condition {
  const usable = grant
    .selectFrom('oauth_tokens')
    .select('oauth_tokens.grant_id')
    .whereRef('oauth_tokens.grant_id', '=', 'oauth_grants.id')
    .where('oauth_tokens.revoked_at', 'is', null)
    .where('oauth_tokens.used_at', 'is', null)
    .where('oauth_tokens.expires_at', '>', now)
    // Said again of the tokens: a merge of both indexes would begin with the first token of all on every page.
    .$if(after !== null, (query) => query.where('oauth_tokens.grant_id', '>', cursor<GrantId>(after)));
  // A user's grant is revoked even without tokens; a client that acts for itself can get another one anyway.
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

/** Locks these grants until the transaction ends. Returns the live ones. */
export async function lockLiveGrants(session: Session, ids: readonly GrantId[]): Promise<GrantId[]> {
  return (await session.run<{ id: GrantId }>(LOCK_GRANTS, [ids])).map(({ id }) => id);
}

// Whether client and user are enabled does not matter here: they may be enabled again.
const USABLE = `t.grant_id = any($1::text[]) and t.revoked_at is null and t.used_at is null and t.expires_at > $2
  and ($3::timestamptz is null or t.issued_at < $3)`;

// No more than is needed of them, and no join: there may be hundreds of thousands.
const FIND_USABLE_TOKENS = statement(
  'find_usable_tokens',
  `select t.id, t.grant_id as "grantId", encode(t.digest, 'hex') as sha256, t.issued_at as "issuedAt"
   from {schema}.oauth_tokens t where ${USABLE}`,
);
const COUNT_USABLE_TOKENS = statement(
  'count_usable_tokens',
  `select count(*)::int as tokens, count(distinct t.grant_id)::int as grants
   from {schema}.oauth_tokens t join {schema}.oauth_grants g on g.id = t.grant_id
   where ${USABLE} and (g.revoked_before is null or t.issued_at >= g.revoked_before)`,
);

export interface UsableToken {
  id: TokenId;
  grantId: GrantId;
  sha256: string;
  issuedAt: Date;
}

interface UsableAt {
  now: Date;
  /** Only tokens from before this instant. */
  issuedBefore: Date | null;
}

/** Also those that an earlier cut of their grant has ended. */
export async function findUsableTokens(
  session: Session,
  grantIds: readonly GrantId[],
  { now, issuedBefore }: UsableAt,
): Promise<UsableToken[]> {
  return session.run<UsableToken>(FIND_USABLE_TOKENS, [grantIds, now, issuedBefore]);
}

/** Counts the usable tokens, and the grants that have some. */
export async function countUsableTokens(
  session: Session,
  grantIds: readonly GrantId[],
  { now, issuedBefore }: UsableAt,
): Promise<{ grants: number; tokens: number }> {
  const given = [grantIds, now, issuedBefore];
  const [counts] = await session.run<{ grants: number; tokens: number }>(COUNT_USABLE_TOKENS, given);
  return present(counts, 'a row of counts');
}

const CUT_GRANTS = statement(
  'cut_grants',
  `update {schema}.oauth_grants set revoked_before = greatest(revoked_before, $2) where id = any($1::text[])`,
);

/** Revokes what these grants issued before the instant. They must be locked. */
export async function cutGrants(session: Session, ids: readonly GrantId[], before: Date): Promise<void> {
  await session.run(CUT_GRANTS, [ids, before]);
}

const CUT_CLIENT = statement(
  'cut_client',
  `update {schema}.oauth_clients set revoked_before = greatest(revoked_before, $2) where id = $1`,
);

/** Revokes what was issued to the client before the instant. */
export async function cutClient(session: Session, id: OAuthClientId, before: Date): Promise<void> {
  await session.run(CUT_CLIENT, [id, before]);
}
