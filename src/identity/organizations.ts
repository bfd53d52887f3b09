import type { Wire } from '../contracts/head/operation-parts.ts';
import type { Organization as OrganizationSchema } from '../contracts/head/organizations.ts';
import type { Context } from '../environments/environment.ts';
import { ApiError } from '../errors/api-error.ts';
import { newId } from '../kernel/ids.ts';
import { type Page, type SearchRequest, toPage } from '../kernel/page.ts';
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

/** Held events stay held: whoever wants them recovers them, as after a disabled endpoint. */
export async function resumeOrganization(context: Context, id: string): Promise<Organization> {
  return context.transaction(async (inside) => {
    const organization = await requireOrganization(inside, id);
    await setSuspended(inside, organization.id, null);
    return { ...organization, suspendedAt: null };
  });
}

/** Deletes organizations that nothing belongs to. */
export async function removeOrganizations(context: Context, ids: readonly OrganizationId[]): Promise<void> {
  if (ids.length > 0) await deleteOrganizations(context.session, ids);
}

/** Its name alone; `renameOrganization` of the directory also publishes it. */
export async function setName({ session }: Context, id: OrganizationId, name: string): Promise<void> {
  await updateOrganizationName(session, id, name);
}

/** Null: it is no longer suspended. `suspendOrganization` of the directory also holds its events. */
export async function setSuspended(
  { session }: Context,
  id: OrganizationId,
  suspendedAt: Date | null,
): Promise<void> {
  await updateOrganizationSuspended(session, id, suspendedAt);
}

/** Only the id is left, where others refer to it. */
export async function forgetOrganization({ session, clock }: Context, id: OrganizationId): Promise<void> {
  await eraseOrganization(session, id, clock.now());
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
