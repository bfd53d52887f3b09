import type { TokenRecord } from './store.ts';

/** What can have ended a token. */
export type TokenEndState =
  | 'expired'
  | 'used'
  | 'revoked'
  | 'grant_revoked'
  | 'cut_by_grant'
  | 'cut_by_client'
  | 'client_disabled'
  | 'client_deleted'
  | 'user_blocked';

export interface TokenEnd {
  state: TokenEndState;
  /** Of a cut: its instant; what was issued before it is dead. */
  at: Date;
}

/** Everything that makes a token dead now; empty for a token that lives. Says the same as `isLive`, and why. */
export function tokenEnds(token: TokenRecord, now: Date): TokenEnd[] {
  const expiresAt = token.expiresAt < token.grantExpiresAt ? token.expiresAt : token.grantExpiresAt;
  const candidates: readonly (readonly [TokenEndState, Date | null])[] = [
    ['expired', now >= expiresAt ? expiresAt : null],
    ['used', token.usedAt],
    ['revoked', token.revokedAt],
    ['grant_revoked', token.grantRevokedAt],
    ['cut_by_grant', cutOf(token, token.grantRevokedBefore)],
    ['cut_by_client', cutOf(token, token.clientRevokedBefore)],
    ['client_disabled', token.clientDisabledAt],
    ['client_deleted', token.clientDeletedAt],
    ['user_blocked', token.userBlockedAt],
  ];
  return candidates.flatMap(([state, at]) => (at === null ? [] : [{ state, at }]));
}

function cutOf({ issuedAt }: TokenRecord, cut: Date | null): Date | null {
  return cut !== null && issuedAt < cut ? cut : null;
}
