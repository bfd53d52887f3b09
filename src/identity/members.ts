import type { Context } from '../environments/environment.ts';
import { ApiError } from '../errors/api-error.ts';
import { type Page, type PageRequest, toPage } from '../kernel/page.ts';
import { isForeignKeyViolation } from '../storage/storage-error.ts';
import {
  deleteMembership,
  insertMembership,
  selectMembers,
  selectOrganizationsById,
  selectUser,
} from './store.ts';
import { isOrganizationId, isUserId, type Member, type Membership } from './types.ts';

export interface MembershipKey {
  organizationId: string;
  userId: string;
}

/** Adding an existing member changes nothing. */
export async function addMember(context: Context, key: MembershipKey): Promise<Membership> {
  const { organizationId, userId } = key;
  const absent = (cause?: unknown) =>
    new ApiError('not_found', { detail: 'There is no organization or no user with this id.', cause });
  if (!isOrganizationId(organizationId) || !isUserId(userId)) throw absent();
  const [organization] = await selectOrganizationsById(context.session, [organizationId]);
  if (!organization || !(await selectUser(context.session, userId))) throw absent();
  try {
    return await insertMembership(context.session, {
      organizationId,
      userId,
      createdAt: context.clock.now(),
    });
  } catch (error) {
    throw isForeignKeyViolation(error) ? absent(error) : error;
  }
}

/** The membership alone; `removeMember` of the directory also ends what came with it. */
export async function endMembership({ session }: Context, key: MembershipKey): Promise<void> {
  const { organizationId, userId } = key;
  const known = isOrganizationId(organizationId) && isUserId(userId);
  const removed = known && (await deleteMembership(session, organizationId, userId));
  if (!removed)
    throw new ApiError('not_found', { detail: 'This user is not a member of this organization.' });
}

export async function listMembers(
  context: Context,
  organizationId: string,
  page: PageRequest,
): Promise<Page<Member>> {
  const absent = new ApiError('not_found', { detail: 'There is no organization with this id.' });
  if (!isOrganizationId(organizationId)) throw absent;
  const [organization] = await selectOrganizationsById(context.session, [organizationId]);
  if (!organization) throw absent;
  return toPage(
    await selectMembers(context.session, organizationId, page),
    page.limit,
    (member) => member.userId,
  );
}
