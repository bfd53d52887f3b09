import type { Wire } from '../contracts/head/operation-parts.ts';
import type { Organization as OrganizationSchema } from '../contracts/head/organizations.ts';
import type { Context } from '../environments/environment.ts';
import { ApiError } from '../errors/api-error.ts';
import { newId } from '../kernel/ids.ts';
import { type Page, type SearchRequest, toPage } from '../kernel/page.ts';
import { holdEventsOf } from '../webhooks/events/hold-events.ts';
import { recordOccurrences } from '../webhooks/publishing/record-occurrences.ts';
import { listMembers, removeMember } from './members.ts';
import {
  deleteOrganizations,
  eraseOrganization,
  insertOrganization,
  lockOrganization,
  selectOrganizations,
  selectOrganizationsById,
  selectOrganizationsOfUser,
  selectSelfRegistered,
  updateOrganizationName,
  updateOrganizationSuspended,
} from './store.ts';
import {
  isOrganizationId,
  type Member,
  type Organization,
  type OrganizationId,
  organizationIdPrefix,
  type UserId,
} from './types.ts';

export interface NewOrganization {
  name: string;
  /** A client that registered itself made it: nobody here knows whose it is. */
  selfRegistered?: boolean;
}

export async function createOrganization(context: Context, input: NewOrganization): Promise<Organization> {
  const now = context.clock.now();
  const organization: Organization = {
    id: newId(organizationIdPrefix, now),
    name: input.name,
    suspendedAt: null,
    createdAt: now,
  };
  await insertOrganization(context.session, organization, input.selfRegistered ?? false);
  return organization;
}

/** True if an operator or the quickstart created it, not a registration. */
export async function isVouchedFor(context: Context, id: OrganizationId): Promise<boolean> {
  return (await selectSelfRegistered(context.session, id)) === false;
}

/** Renaming to the same name publishes no event. */
export async function renameOrganization(context: Context, id: string, name: string): Promise<Organization> {
  return context.transaction(async (inside) => {
    const organization = await requireOrganization(inside, id);
    if (organization.name === name) return organization;
    await updateOrganizationName(inside.session, organization.id, name);
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
    await updateOrganizationSuspended(inside.session, organization.id, suspendedAt);
    await holdEventsOf(inside, organization.id);
    return { ...organization, suspendedAt };
  });
}

/** Held events stay held: whoever wants them recovers them, as after a disabled endpoint. */
export async function resumeOrganization(context: Context, id: string): Promise<Organization> {
  return context.transaction(async (inside) => {
    const organization = await requireOrganization(inside, id);
    await updateOrganizationSuspended(inside.session, organization.id, null);
    return { ...organization, suspendedAt: null };
  });
}

/** Deletes organizations that nothing belongs to. */
export async function removeOrganizations(context: Context, ids: readonly OrganizationId[]): Promise<void> {
  if (ids.length > 0) await deleteOrganizations(context.session, ids);
}

/** Its members leave, and its name is forgotten. What else it has is deleted by the rooms that own it, before. */
export async function deleteOrganization(context: Context, id: OrganizationId): Promise<void> {
  await context.transaction(async (inside) => {
    for (let members = await membersOf(inside, id); members.length > 0; members = await membersOf(inside, id))
      for (const { userId } of members) await removeMember(inside, { organizationId: id, userId });
    await eraseOrganization(inside.session, id, inside.clock.now());
  });
}

const MEMBERS_AT_ONCE = 100;

async function membersOf(context: Context, id: OrganizationId): Promise<readonly Member[]> {
  return (await listMembers(context, id, { after: null, limit: MEMBERS_AT_ONCE })).items;
}

/** An organization that exists, locked until the transaction ends. */
export async function requireOrganization(context: Context, id: string): Promise<Organization> {
  const organization = isOrganizationId(id) ? await lockOrganization(context.session, id) : null;
  if (!organization) throw new ApiError('not_found', { detail: 'There is no organization with this id.' });
  return organization;
}

/** The body of Next, in answers and in events. */
export function organizationBody({ id, name, createdAt }: Organization): Wire<typeof OrganizationSchema> {
  return { id, name, created_at: createdAt.toISOString() };
}

export async function listOrganizations(context: Context, page: SearchRequest): Promise<Page<Organization>> {
  return toPage(
    await selectOrganizations(context.session, page),
    page.limit,
    (organization) => organization.id,
  );
}

/** The organizations of a token: none for an empty list, never all. */
export async function organizationsOf(
  context: Context,
  ids: readonly OrganizationId[],
): Promise<Organization[]> {
  return selectOrganizationsById(context.session, ids);
}

/** The organizations a user belongs to now, by name. */
export async function organizationsOfUser(context: Context, userId: UserId): Promise<Organization[]> {
  return selectOrganizationsOfUser(context.session, userId);
}
