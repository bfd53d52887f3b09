import { type Id, isId } from '../kernel/ids.ts';

export type OrganizationId = Id<'organization'>;
export type UserId = Id<'user'>;
export type OperatorKeyId = Id<'operator-key'>;

export const organizationIdPrefix = 'org';
export const userIdPrefix = 'usr';
export const operatorKeyIdPrefix = 'opk';

// Text that cannot be an id is treated like an id that is not stored, and never reaches the database.
export const isOrganizationId = (id: string): id is OrganizationId => isId(organizationIdPrefix, id);
export const isUserId = (id: string): id is UserId => isId(userIdPrefix, id);
export const isOperatorKeyId = (id: string): id is OperatorKeyId => isId(operatorKeyIdPrefix, id);

export interface Organization {
  id: OrganizationId;
  name: string;
  /** While it is set, its tokens are inactive there, and nothing is sent to its webhook endpoints. */
  suspendedAt: Date | null;
  createdAt: Date;
}

/** A person. The password's hash stays in the store. */
export interface User {
  id: UserId;
  email: string;
  name: string;
  blockedAt: Date | null;
  createdAt: Date;
}

export interface Membership {
  organizationId: OrganizationId;
  userId: UserId;
  createdAt: Date;
}

/** A membership with the person it belongs to, for lists. */
export interface Member extends Membership {
  email: string;
  name: string;
}

/**
 * An admin may do everything, a viewer may only read, support may also resend and disable, and a publisher may only publish
 * events of an API.
 */
export const operatorRoles = ['admin', 'viewer', 'support', 'publisher'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** The name of the key that the first start makes. */
export const quickstartKeyName = 'quickstart';

export interface OperatorKey {
  id: OperatorKeyId;
  name: string;
  role: OperatorRole;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}
