import type { Context } from '../../environments/environment.ts';
import type { OrganizationId } from '../../identity/types.ts';
import type { ActiveToken } from '../types.ts';
import { findTokenById, holdGrant, holdMembership } from './store.ts';
import { isLive, toActiveToken } from './token-state.ts';

/**
 * Keeps the access of a token to an organization from ending before this transaction does: for what is to end with that
 * access, and so must not be made beside its end. Answers with the token as it is now; null if it has ended already,
 * although it was live when the request came.
 */
export async function holdAccess(
  { session, clock, scopes }: Context,
  { tokenId, grantId, subject }: ActiveToken,
  organizationId: OrganizationId,
): Promise<ActiveToken | null> {
  await holdGrant(session, grantId);
  if (subject.type === 'user') await holdMembership(session, subject.id, organizationId);
  const token = await findTokenById(session, tokenId);
  const holds =
    token !== null && isLive(token, clock.now()) && token.organizationIds.includes(organizationId);
  return holds ? toActiveToken(token, scopes) : null;
}
