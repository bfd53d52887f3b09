import type { Scene } from '../../environments/environment.ts';
import type { OrganizationId } from '../../identity/types.ts';
import type { ActiveToken } from '../types.ts';
import { findTokenById, holdGrant, holdMembership } from './store.ts';
import { isLive } from './token-state.ts';

/**
 * Keeps the access of a token to an organization from ending before this transaction does: for what is to end with that
 * access, and so must not be made beside its end. False if it has ended already, although the token was live when the
 * request came.
 */
export async function holdAccess(
  { session, clock }: Scene,
  { tokenId, grantId, subject }: ActiveToken,
  organizationId: OrganizationId,
): Promise<boolean> {
  await holdGrant(session, grantId);
  if (subject.type === 'user') await holdMembership(session, subject.id, organizationId);
  const token = await findTokenById(session, tokenId);
  return token !== null && isLive(token, clock.now()) && token.organizationIds.includes(organizationId);
}
