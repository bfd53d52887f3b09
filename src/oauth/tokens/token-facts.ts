import type { ActiveToken, InactiveToken, Subject } from '../types.ts';
import type { GrantRecord, TokenRecord } from './store.ts';

export const inactive: InactiveToken = Object.freeze({ active: false });

/** What is known about a live token. */
export function toActiveToken(record: TokenRecord): ActiveToken {
  return {
    active: true,
    tokenId: record.id,
    kind: record.kind,
    clientId: record.clientId,
    grantId: record.grantId,
    scopes: record.scopes,
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
