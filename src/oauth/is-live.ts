import type { TokenRecord } from './store.ts';

/** Every way a token can be dead (RFC 7662 §4). At the second of `exp` it is dead already. */
export function isLive(record: TokenRecord, now: Date): boolean {
  if (now >= record.expiresAt || now >= record.grantExpiresAt) return false;
  if (record.revokedAt || record.grantRevokedAt || record.clientDisabledAt || record.userBlockedAt)
    return false;
  return record.clientRevokedBefore === null || record.issuedAt >= record.clientRevokedBefore;
}
