import type { Context } from '../environments/environment.ts';
import { listMembers } from '../identity/members.ts';
import {
  forgetOrganization,
  organizationBody,
  requireOrganization,
  setName,
  setSuspended,
} from '../identity/organizations.ts';
import type { Member, Organization, OrganizationId } from '../identity/types.ts';
import { holdEventsOfOrganization } from '../webhooks/events/store.ts';
import { recordOccurrences } from '../webhooks/publishing/record-occurrences.ts';
import { removeMember } from './users.ts';

/** Renaming to the same name publishes no event. */
export async function renameOrganization(context: Context, id: string, name: string): Promise<Organization> {
  return context.transaction(async (inside) => {
    const organization = await requireOrganization(inside, id);
    if (organization.name === name) return organization;
    await setName(inside, organization.id, name);
    const renamed = { ...organization, name };
    await recordOccurrences(inside, [
      { type: 'organization.updated', organizationIds: [renamed.id], data: organizationBody(renamed) },
    ]);
    return renamed;
  });
}

/**
 * From the next look-up on its tokens are inactive, as far as they act in it; nothing more is sent to its webhook
 * endpoints, whose events are held.
 */
export async function suspendOrganization(context: Context, id: string): Promise<Organization> {
  return context.transaction(async (inside) => {
    const organization = await requireOrganization(inside, id);
    if (organization.suspendedAt) return organization;
    const suspendedAt = inside.clock.now();
    await setSuspended(inside, organization.id, suspendedAt);
    // What happens later is held when it is recorded.
    await holdEventsOfOrganization(inside.session, organization.id);
    return { ...organization, suspendedAt };
  });
}

/** Its members leave, and its name is forgotten. What else it has is deleted by the rooms that own it, before. */
export async function deleteOrganization(context: Context, id: OrganizationId): Promise<void> {
  await context.transaction(async (inside) => {
    for (let members = await membersOf(inside, id); members.length > 0; members = await membersOf(inside, id))
      for (const { userId } of members) await removeMember(inside, { organizationId: id, userId });
    await forgetOrganization(inside, id);
  });
}

const MEMBERS_AT_ONCE = 100;

async function membersOf(context: Context, id: OrganizationId): Promise<readonly Member[]> {
  return (await listMembers(context, id, { after: null, limit: MEMBERS_AT_ONCE })).items;
}
