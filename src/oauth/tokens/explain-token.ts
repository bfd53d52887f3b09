import { firstAuditEntry, listAudit } from '../../audit/read-audit.ts';
import type { Actor, AuditEntry, AuditFilter } from '../../audit/types.ts';
import type { Context } from '../../environments/environment.ts';
import type { TokenId } from '../types.ts';
import { BULK_REVOCATION } from './bulk/revoke-in-bulk.ts';
import { findTokenById, findTokens } from './store.ts';
import { tokenDigest } from './token-digest.ts';
import type { TokenRecord } from './token-record.ts';
import { type TokenEnd, type TokenEndState, tokenEnds } from './token-state.ts';

export type AskedToken = { tokenId: TokenId } | { tokenValue: string };

/** One reason why a token is inactive, with actor and reason as far as they were recorded. */
export interface ExplainedEnd {
  state: TokenEndState;
  at: Date;
  actor: Actor | null;
  reason: string | null;
}

export interface TokenExplanation {
  token: TokenRecord | null;
  /** The reasons why it is no longer valid, oldest first; empty for a token that is live or unknown. */
  ends: readonly ExplainedEnd[];
  /** The audit entries of the token and its grant, newest first. */
  history: readonly AuditEntry[];
}

/** Reports whether a token is live, or why not. For operators only. */
export async function explainToken(context: Context, asked: AskedToken): Promise<TokenExplanation> {
  const token = await findAskedToken(context, asked);
  if (token === null) {
    const history = 'tokenId' in asked ? await historyOf(context, { tokenId: asked.tokenId }) : [];
    return { token, ends: [], history };
  }
  const ends = tokenEnds(token, context.clock.now()).map((end) => explainEnd(context, token, end));
  const inOrder = (await Promise.all(ends)).sort((one, other) => one.at.getTime() - other.at.getTime());
  return { token, ends: inOrder, history: await historyOfToken(context, token) };
}

/** Null where it is not stored. */
export async function findAskedToken(context: Context, asked: AskedToken): Promise<TokenRecord | null> {
  if ('tokenId' in asked) return findTokenById(context.session, asked.tokenId);
  const digest = tokenDigest(context.name, asked.tokenValue);
  const [found = null] = digest ? await findTokens(context.session, [digest]) : [];
  return found;
}

async function historyOfToken(context: Context, { id, grantId }: TokenRecord): Promise<AuditEntry[]> {
  const ofGrant = await historyOf(context, { grantId });
  return ofGrant.filter(({ tokenId }) => tokenId === undefined || tokenId === id);
}

const HISTORY_MAX = 20;

async function historyOf(context: Context, filter: AuditFilter): Promise<AuditEntry[]> {
  return (await listAudit(context, filter, { limit: HISTORY_MAX, after: null })).items;
}

async function explainEnd(context: Context, token: TokenRecord, end: TokenEnd): Promise<ExplainedEnd> {
  if (end.state === 'expired') return { ...end, actor: { type: 'system', id: null }, reason: 'it expired' };
  if (end.state === 'used')
    return { ...end, actor: { type: 'client', id: token.clientId }, reason: 'exchanged for its successor' };
  const entry = await entryOf(context, token, end);
  if (!entry) return { ...end, actor: null, reason: null };
  // A cut may lie long before the moment it was made.
  const at = end.state === 'cut_by_client' || end.state === 'cut_by_grant' ? entry.at : end.at;
  return { state: end.state, at, actor: entry.actor, reason: entry.reason ?? null };
}

// An entry is recorded in the transaction of its change, so their times are close.
const NEAR_MS = 60_000;

async function entryOf(context: Context, token: TokenRecord, end: TokenEnd): Promise<AuditEntry | null> {
  const near = { since: end.at, until: new Date(end.at.getTime() + NEAR_MS) };
  const { clientId, userId, grantId, id: tokenId } = token;
  switch (end.state) {
    case 'revoked':
      return firstAuditEntry(context, { action: 'token.revoked', tokenId });
    case 'cut_by_grant':
      return cutOfGrant(context, token);
    case 'grant_revoked':
      return firstAuditEntry(context, { action: 'grant.revoked', grantId });
    case 'client_disabled':
      return firstAuditEntry(context, { action: 'client.disabled', clientId, ...near });
    case 'client_deleted':
      return firstAuditEntry(context, { action: 'client.deleted', clientId, ...near });
    case 'user_blocked':
      return firstAuditEntry(context, { action: 'user.blocked', userId: userId ?? '', ...near });
    case 'organization_suspended':
      return firstAuditEntry(context, {
        action: 'organization.suspended',
        organizationId: token.clientOrganizationId,
        ...near,
      });
    case 'cut_by_client':
      return cutOfClient(context, token);
    default:
      return null;
  }
}

/** The revocation in bulk that cut the grant. Once, each token that it ended had an entry of its own. */
async function cutOfGrant(context: Context, token: TokenRecord): Promise<AuditEntry | null> {
  const instant = token.grantRevokedBefore?.toISOString() ?? '';
  const cuts = await historyOf(context, { action: BULK_REVOCATION, details: { issued_before: instant } });
  const cut = cuts.findLast(
    ({ clientId = token.clientId, userId = token.userId }) =>
      clientId === token.clientId && userId === token.userId,
  );
  return cut ?? firstAuditEntry(context, { action: 'token.revoked', tokenId: token.id });
}

async function cutOfClient(context: Context, token: TokenRecord): Promise<AuditEntry | null> {
  const cuts = await historyOf(context, { action: BULK_REVOCATION, clientId: token.clientId });
  const instant = token.clientRevokedBefore?.toISOString();
  return cuts.findLast(({ details }) => details?.client_revoked_before === instant) ?? null;
}
