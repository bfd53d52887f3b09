import type { OrganizationId } from '../../../identity/types.ts';
import type { OAuthClientId, Subject } from '../../types.ts';

/** Which grants to end; what is null does not matter, and the rest narrows together. */
export interface Selection {
  clientId: OAuthClientId | null;
  subject: Subject | null;
  /**
   * Grants that reach into this organization. Where no client is named, also all grants of its own clients: whoever
   * ends an organization's tokens wants both.
   */
  organizationId: OrganizationId | null;
  /** Only tokens from before this instant, and their grants live on. */
  issuedBefore: Date | null;
}

/** All of one client: that can be said in one row. */
export function isWholeClient({ clientId, subject, organizationId }: Selection): boolean {
  return clientId !== null && subject === null && organizationId === null;
}
