import type { TokenRecord } from './store.ts';

/** Every way a token can be dead (RFC 7662 §4). At the second of `exp` it is dead already. */
export function isLive(record: TokenRecord, now: Date): boolean {
  if (now >= record.expiresAt || now >= record.grantExpiresAt) return false;
  if (record.usedAt || record.revokedAt || record.grantRevokedAt || record.userBlockedAt) return false;
  if (record.clientDisabledAt || record.clientDeletedAt) return false;
  return (
    isAfter(record.issuedAt, record.clientRevokedBefore) &&
    isAfter(record.issuedAt, record.grantRevokedBefore)
  );
}

/** A cut ends everything that was issued before it. */
function isAfter(issuedAt: Date, cut: Date | null): boolean {
  return cut === null || issuedAt >= cut;
}
