import { keysOf } from '../../kernel/presence.ts';
import { type KnownScopes, stillKnown } from '../scopes/scopes.ts';
import type { ActiveToken, InactiveToken, Subject } from '../types.ts';
import type { GrantRecord, TokenRecord } from './token-record.ts';

/** The ways a token can end. */
export type TokenEndState =
  | 'expired'
  | 'used'
  | 'revoked'
  | 'grant_revoked'
  | 'cut_by_grant'
  | 'cut_by_client'
  | 'client_disabled'
  | 'client_deleted'
  | 'user_blocked'
  | 'organization_suspended';

export interface TokenEnd {
  state: TokenEndState;
  /** Of a cut: its instant; what was issued before it is dead. */
  at: Date;
}

/** When a token ended in one of these ways; null if it did not. */
type EndedAt = (token: TokenRecord, now: Date) => Date | null;

/** Every way a token can be dead (RFC 7662 §4). `isLive` and `tokenEnds` both read this list and nothing else. */
const waysToEnd: Readonly<Record<TokenEndState, EndedAt>> = {
  expired: (token, now) => {
    const expiresAt = token.expiresAt < token.grantExpiresAt ? token.expiresAt : token.grantExpiresAt;
    // At the second of `exp` it is expired already.
    return now >= expiresAt ? expiresAt : null;
  },
  used: (token) => token.usedAt,
  revoked: (token) => token.revokedAt,
  grant_revoked: (token) => token.grantRevokedAt,
  cut_by_grant: (token) => cutOf(token, token.grantRevokedBefore),
  cut_by_client: (token) => cutOf(token, token.clientRevokedBefore),
  client_disabled: (token) => token.clientDisabledAt,
  client_deleted: (token) => token.clientDeletedAt,
  user_blocked: (token) => token.userBlockedAt,
  organization_suspended: (token) => token.organizationSuspendedAt,
};

/** A cut revokes everything that was issued before it. */
function cutOf({ issuedAt }: TokenRecord, cut: Date | null): Date | null {
  return cut !== null && issuedAt < cut ? cut : null;
}

const states = keysOf(waysToEnd);
const checks = Object.values(waysToEnd);

/** True if nothing has ended the token. Runs for every request with a token, so it builds no list. */
export function isLive(token: TokenRecord, now: Date): boolean {
  for (const endedAt of checks) if (endedAt(token, now) !== null) return false;
  return true;
}

/** Everything that makes a token dead now; empty for a token that lives. */
export function tokenEnds(token: TokenRecord, now: Date): TokenEnd[] {
  return states.flatMap((state) => {
    const at = waysToEnd[state](token, now);
    return at === null ? [] : [{ state, at }];
  });
}

/** Ends that nothing undoes: an older state of the database that shows one is enough to know that the token is dead. */
const FINAL = [waysToEnd.revoked, waysToEnd.grant_revoked, waysToEnd.cut_by_grant, waysToEnd.cut_by_client];

export function isDeadForGood(token: TokenRecord, now: Date): boolean {
  return FINAL.some((endedAt) => endedAt(token, now) !== null);
}

export const inactive: InactiveToken = Object.freeze({ active: false });

/** The facts about a live token, without scopes that the API folder has removed since. */
export function toActiveToken(record: TokenRecord, known: KnownScopes): ActiveToken {
  const scopes = stillKnown(record.scopes, known);
  return {
    active: true,
    tokenId: record.id,
    kind: record.kind,
    clientId: record.clientId,
    grantId: record.grantId,
    scopes,
    hasLostAllScopes: scopes.length === 0 && (record.hasLostScopes || record.scopes.length > 0),
    subject: subjectOf(record),
    organizationIds: record.organizationIds,
    audience: record.audience,
    issuedAt: record.issuedAt,
    expiresAt: record.expiresAt,
  };
}

export function subjectOf({
  userId,
  clientOrganizationId,
}: Pick<GrantRecord, 'userId' | 'clientOrganizationId'>): Subject {
  return userId === null ? { type: 'organization', id: clientOrganizationId } : { type: 'user', id: userId };
}
