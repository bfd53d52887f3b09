import type { Context } from '../environments/environment.ts';
import { endMembership, type MembershipKey } from '../identity/members.ts';
import { organizationsOfUser } from '../identity/organizations.ts';
import type { User } from '../identity/types.ts';
import { forgetUser, lockUserOut } from '../identity/users.ts';
import { disableEndpointsOf } from '../webhooks/endpoints/end-access.ts';

/** Blocks at once: the user is signed out, and all their tokens are inactive from the next look-up on. */
export async function blockUser(context: Context, id: string): Promise<User> {
  return context.transaction(async (inside) => {
    const user = await lockUserOut(inside, id);
    await disableEndpointsOf(inside, [{ userId: user.id }], 'its user was blocked');
    return user;
  });
}

/** Blocked for good, out of every organization, and forgotten: only the id is left, where others refer to it. */
export async function deleteUser(context: Context, id: string): Promise<User> {
  return context.transaction(async (inside) => {
    const user = await blockUser(inside, id);
    for (const organization of await organizationsOfUser(inside, user.id))
      await removeMember(inside, { organizationId: organization.id, userId: user.id });
    await forgetUser(inside, user.id);
    return user;
  });
}

/** The endpoints that the user made in the organization are disabled too. */
export async function removeMember(context: Context, key: MembershipKey): Promise<void> {
  const { organizationId, userId } = key;
  await context.transaction(async (inside) => {
    await endMembership(inside, key);
    await disableEndpointsOf(inside, [{ userId, organizationId }], 'its user left the organization');
  });
}
