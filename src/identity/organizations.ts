import type { Wire } from '../contracts/head/operation-parts.ts';
import type { Organization as OrganizationSchema } from '../contracts/head/organizations.ts';
import type { Scene } from '../environments/environment.ts';
import { ApiError } from '../errors/api-error.ts';
import { newId } from '../kernel/ids.ts';
import { type Page, type PageRequest, toPage } from '../kernel/page.ts';
import { recordOccurrences } from '../webhooks/publishing/record-occurrences.ts';
import {
  deleteOrganizations,
  insertOrganization,
  lockOrganization,
  selectOrganizations,
  selectOrganizationsById,
  selectOrganizationsOfUser,
  updateOrganizationName,
} from './store.ts';
import {
  isOrganizationId,
  type Organization,
  type OrganizationId,
  organizationIdPrefix,
  type UserId,
} from './types.ts';

export async function createOrganization(scene: Scene, input: { name: string }): Promise<Organization> {
  const now = scene.clock.now();
  const organization: Organization = {
    id: newId(organizationIdPrefix, now),
    name: input.name,
    createdAt: now,
  };
  await insertOrganization(scene.session, organization);
  return organization;
}

/** Renaming to the same name publishes no event. */
export async function renameOrganization(scene: Scene, id: string, name: string): Promise<Organization> {
  return scene.transaction(async (inside) => {
    const organization = isOrganizationId(id) ? await lockOrganization(inside.session, id) : null;
    if (!organization) throw new ApiError('not_found', { detail: 'There is no organization with this id.' });
    if (organization.name === name) return organization;
    await updateOrganizationName(inside.session, organization.id, name);
    const renamed = { ...organization, name };
    await recordOccurrences(inside, [
      { type: 'organization.updated', organizationIds: [renamed.id], data: organizationBody(renamed) },
    ]);
    return renamed;
  });
}

/** Deletes organizations that nothing belongs to. */
export async function removeOrganizations(scene: Scene, ids: readonly OrganizationId[]): Promise<void> {
  if (ids.length > 0) await deleteOrganizations(scene.session, ids);
}

/** The body of Next, in answers and in events. */
export function organizationBody({ id, name, createdAt }: Organization): Wire<typeof OrganizationSchema> {
  return { id, name, created_at: createdAt.toISOString() };
}

export async function listOrganizations(scene: Scene, page: PageRequest): Promise<Page<Organization>> {
  return toPage(
    await selectOrganizations(scene.session, page),
    page.limit,
    (organization) => organization.id,
  );
}

/** The organizations of a token: none for an empty list, never all. */
export async function organizationsOf(scene: Scene, ids: readonly OrganizationId[]): Promise<Organization[]> {
  return selectOrganizationsById(scene.session, ids);
}

/** The organizations a user belongs to now, by name. */
export async function organizationsOfUser(scene: Scene, userId: UserId): Promise<Organization[]> {
  return selectOrganizationsOfUser(scene.session, userId);
}
