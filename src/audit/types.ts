import type { Id } from '../kernel/ids.ts';

export type AuditEntryId = Id<'audit-entry'>;

export const actorTypes = ['operator', 'client', 'user', 'system'] as const;

/** The author of an action. The system acts by itself: on reuse of a token, a leak report, or expiry. */
export type Actor =
  | { type: 'operator'; id: string }
  | { type: 'client'; id: string }
  | { type: 'user'; id: string }
  | { type: 'system'; id: null };

export interface NewAuditEntry {
  actor: Actor;
  /** `token.revoked`, `grant.revoked`, `client.disabled`: an object and what was done to it. */
  action: string;
  tokenId?: string | undefined;
  grantId?: string | undefined;
  clientId?: string | undefined;
  userId?: string | undefined;
  organizationId?: string | undefined;
  /** Why, in the actor's words or in ours. Never a secret. */
  reason?: string | undefined;
  details?: Readonly<Record<string, unknown>> | undefined;
}

export interface AuditEntry extends NewAuditEntry {
  id: AuditEntryId;
  at: Date;
}

/** Which entries to read; a condition that is left out matches all. */
export interface AuditFilter {
  /** The id of who acted, or `system`. */
  actor?: string | undefined;
  tokenId?: string | undefined;
  grantId?: string | undefined;
  clientId?: string | undefined;
  userId?: string | undefined;
  organizationId?: string | undefined;
  action?: string | undefined;
  /** Among the details. */
  details?: Readonly<Record<string, string>> | undefined;
  /** From this instant on. */
  since?: Date | undefined;
  /** Before this instant. */
  until?: Date | undefined;
}
