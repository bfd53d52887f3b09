import type { Context } from '../environments/environment.ts';
import { endMembership, type MembershipKey } from '../identity/members.ts';
import { disableEndpointsOf } from '../webhooks/endpoints/end-access.ts';

/** The endpoints that the user made in the organization are disabled too. */
export async function removeMember(context: Context, key: MembershipKey): Promise<void> {
  const { organizationId, userId } = key;
  await context.transaction(async (inside) => {
    await endMembership(inside, key);
    await disableEndpointsOf(inside, [{ userId, organizationId }], 'its user left the organization');
  });
}
