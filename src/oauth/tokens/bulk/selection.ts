import type { OrganizationId } from '../../../identity/types.ts';
import type { OAuthClientId, Subject } from '../../types.ts';

/** Which grants to revoke; null matches all, and conditions are combined with "and". */
export interface Selection {
  clientId: OAuthClientId | null;
  subject: Subject | null;
  /**
   * Grants that reach into this organization. Where no client is named, also all grants of its own clients: to revoke an
   * organization's tokens means both.
   */
  organizationId: OrganizationId | null;
  /** Only tokens from before this instant; their grants stay live. */
  issuedBefore: Date | null;
}

/** A whole client: one row is enough. */
export function isWholeClient({ clientId, subject, organizationId }: Selection): boolean {
  return clientId !== null && subject === null && organizationId === null;
}
