import { recordAudit } from '../../audit/audit-log.ts';
import type { Actor, NewAuditEntry } from '../../audit/types.ts';
import type { Context } from '../../environments/environment.ts';
import { hexOf } from '../../kernel/digest.ts';
import { disableEndpointsOf } from '../../webhooks/endpoints/end-access.ts';
import { recordOccurrences } from '../../webhooks/publishing/record-occurrences.ts';
import type { NewOccurrence } from '../../webhooks/types.ts';
import { organizationsOfAudiences } from '../clients/clients/store.ts';
import type { GrantId, TokenId } from '../types.ts';
import { endGrants, endTokens, selectGrants } from './store.ts';
import type { GrantRecord, TokenRecord } from './token-record.ts';
import { subjectOf } from './token-state.ts';

/** The actor of a revocation and its reason. */
export interface Cause {
  actor: Actor;
  reason: string;
}

export interface Ending extends Cause {
  token: TokenRecord;
}

/**
 * Revokes tokens in one transaction with their audit entries and events: all of them, or none. An access token is revoked
 * alone, a refresh token with its whole grant, by one row.
 */
export async function endAll(context: Context, endings: readonly Ending[]): Promise<void> {
  await context.transaction(async (inside) => {
    const now = inside.clock.now();
    const [access, refresh] = byKind(endings);
    // Grants are locked before tokens everywhere, which avoids deadlocks.
    const grantIds = new Set(await endGrants(inside.session, [...refresh.keys()], now));
    const digests = [...access.values()].map(({ token }) => token.digest);
    const tokenIds = new Set(await endTokens(inside.session, digests, now));
    const ended = [...refresh.values()].filter(({ token }) => grantIds.has(token.grantId));
    for (const { token, ...cause } of ended.filter(isByOthers)) await endWebhooks(inside, [token], cause);
    await writeDown(inside, [
      ...ended.map(({ token, ...cause }) => endOfGrant(token, cause, now)),
      ...[...access.values()]
        .filter(({ token }) => tokenIds.has(token.id))
        .map(({ token, ...cause }) => endOfToken(token, cause, now)),
    ]);
  });
}

/** Revokes grants with all their tokens; returns those that were live until now. */
export async function endGrantsById(
  context: Context,
  ids: readonly GrantId[],
  { removesAccess, ...cause }: Cause & { removesAccess?: boolean },
): Promise<readonly GrantId[]> {
  return context.transaction(async (inside) => {
    const now = inside.clock.now();
    const ended = await endGrants(inside.session, ids, now);
    const grants = await selectGrants(inside.session, ended);
    if (removesAccess ?? isByOthers(cause)) await endWebhooks(inside, grants, cause);
    await writeDown(
      inside,
      grants.map((grant) => endOfGrant(grant, cause, now)),
    );
    return ended;
  });
}

/**
 * A client that gives up a grant may get another one at any time: its webhook endpoints are not to fall silent for that.
 * Whoever else ends a grant ends an access, and the endpoints that were made with it.
 */
function isByOthers({ actor }: Cause): boolean {
  return actor.type !== 'client';
}

async function endWebhooks(
  context: Context,
  grants: readonly GrantRecord[],
  { reason }: Cause,
): Promise<void> {
  const ended = grants.flatMap(({ clientId, userId, organizationIds }) =>
    organizationIds.map((organizationId) => ({ clientId, userId, organizationId })),
  );
  await disableEndpointsOf(context, ended, `its grant was revoked: ${reason}`);
}

/** Each grant and each access token once, however often it was named. */
function byKind(endings: readonly Ending[]): [Map<TokenId, Ending>, Map<GrantId, Ending>] {
  const access = endings.filter(({ token }) => token.kind === 'access_token');
  const refresh = endings.filter(({ token }) => token.kind === 'refresh_token');
  return [
    new Map(access.map((ending) => [ending.token.id, ending])),
    new Map(refresh.map((ending) => [ending.token.grantId, ending])),
  ];
}

/** The records of one revocation: its events, and its audit entry unless a larger revocation has one. */
interface Written {
  grant: GrantRecord;
  audit?: NewAuditEntry;
  occurrences: readonly Omit<NewOccurrence, 'organizationIds'>[];
}

function endOfGrant(grant: GrantRecord, cause: Cause, now: Date): Written {
  const audit = { ...cause, action: 'grant.revoked', ...auditIds(grant) };
  return { grant, audit, occurrences: [{ type: 'grant.revoked', data: grantData(grant, now) }] };
}

function endOfToken(token: TokenRecord, cause: Cause, now: Date): Written {
  const audit = { ...cause, action: 'token.revoked', tokenId: token.id, ...auditIds(token) };
  const sha256 = hexOf(token.digest);
  return { grant: token, audit, occurrences: tokensRevoked(token, [{ id: token.id, sha256 }], now) };
}

interface RevokedToken {
  id: TokenId;
  sha256: string;
}

/** Some tokens of a grant, by a revocation in bulk: that is one act, with one audit entry. Caches drop each by its event. */
export function endOfSome(grant: GrantRecord, tokens: readonly RevokedToken[], now: Date): Written {
  return { grant, occurrences: tokensRevoked(grant, tokens, now) };
}

function tokensRevoked(grant: GrantRecord, tokens: readonly RevokedToken[], now: Date) {
  const { grant_id, client_id, sub_type, sub, revoked_at } = grantData(grant, now);
  // Field by field, which is quicker than a spread: there may be hundreds of thousands.
  return tokens.map(({ id, sha256 }) => ({
    type: 'token.revoked',
    data: { token_id: id, token_sha256: sha256, grant_id, client_id, sub_type, sub, revoked_at },
  }));
}

/** The organization is the one that owns the client: there is always one. */
function auditIds({ grantId, clientId, userId, clientOrganizationId }: GrantRecord) {
  return { grantId, clientId, userId: userId ?? undefined, organizationId: clientOrganizationId };
}

function grantData(grant: GrantRecord, now: Date) {
  const subject = subjectOf(grant);
  return {
    grant_id: grant.grantId,
    client_id: grant.clientId,
    sub_type: subject.type,
    sub: subject.id,
    revoked_at: now.toISOString(),
  };
}

// As many as one value of a statement may well hold.
const WRITTEN_AT_ONCE_MAX = 1_000;

/** Records the audit entries and the events. Called inside the transaction that revokes. */
export async function writeDown(context: Context, ended: readonly Written[]): Promise<void> {
  if (ended.length === 0) return;
  if (ended.length > WRITTEN_AT_ONCE_MAX) {
    await writeDown(context, ended.slice(0, WRITTEN_AT_ONCE_MAX));
    return writeDown(context, ended.slice(WRITTEN_AT_ONCE_MAX));
  }
  const concerned = await concernedBy(
    context,
    ended.map(({ grant }) => grant),
  );
  await recordAudit(
    context,
    ended.flatMap(({ audit }) => audit ?? []),
  );
  await recordOccurrences(
    context,
    ended.flatMap(({ grant, occurrences }) => {
      const organizationIds = concerned(grant);
      return occurrences.map(({ type, data }) => ({ type, data, organizationIds }));
    }),
  );
}

/** The organizations of the token, of its client and of the resource server it was made for. */
async function concernedBy(
  context: Context,
  grants: readonly GrantRecord[],
): Promise<(grant: GrantRecord) => string[]> {
  const foreign = grants.filter(({ audience, clientId }) => audience !== clientId);
  const audiences = [...new Set(foreign.map(({ audience }) => audience))];
  const servers = audiences.length === 0 ? [] : await organizationsOfAudiences(context.session, audiences);
  return ({ audience, clientOrganizationId, organizationIds }) => {
    const ofServer = servers.filter((server) => server.audience === audience);
    const all = [
      clientOrganizationId,
      ...organizationIds,
      ...ofServer.map((server) => server.organizationId),
    ];
    return [...new Set(all)].sort();
  };
}
