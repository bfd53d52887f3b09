import type { Scene } from '../environments/environment.ts';
import { ApiError } from '../errors/api-error.ts';
import { type Page, type PageRequest, toPage } from '../kernel/page.ts';
import { isForeignKeyViolation } from '../storage/storage-error.ts';
import { deleteMembership, insertMembership, selectMembers, selectOrganizationsById } from './store.ts';
import type { Member, Membership, OrganizationId, UserId } from './types.ts';

export interface MembershipKey {
  organizationId: string;
  userId: string;
}

/** Adding somebody who is a member already changes nothing. */
export async function addMember(scene: Scene, key: MembershipKey): Promise<Membership> {
  const organizationId = key.organizationId as OrganizationId;
  const userId = key.userId as UserId;
  try {
    return await insertMembership(scene.session, { organizationId, userId, createdAt: scene.clock.now() });
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
    throw new ApiError('not_found', { detail: 'There is no organization or no user with this id.' });
  }
}

export async function removeMember(scene: Scene, key: MembershipKey): Promise<void> {
  const removed = await deleteMembership(scene.session, key.organizationId, key.userId);
  if (!removed)
    throw new ApiError('not_found', { detail: 'This user is not a member of this organization.' });
}

export async function listMembers(
  scene: Scene,
  organizationId: string,
  page: PageRequest,
): Promise<Page<Member>> {
  const [organization] = await selectOrganizationsById(scene.session, [organizationId]);
  if (!organization) throw new ApiError('not_found', { detail: 'There is no organization with this id.' });
  return toPage(
    await selectMembers(scene.session, organizationId, page),
    page.limit,
    (member) => member.userId,
  );
}
