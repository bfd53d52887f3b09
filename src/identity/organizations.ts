import type { Scene } from '../environments/environment.ts';
import { newId } from '../kernel/ids.ts';
import { type Page, type PageRequest, toPage } from '../kernel/page.ts';
import {
  insertOrganization,
  selectOrganizations,
  selectOrganizationsById,
  selectOrganizationsOfUser,
} from './store.ts';
import { type Organization, organizationIdPrefix, type UserId } from './types.ts';

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

export async function listOrganizations(scene: Scene, page: PageRequest): Promise<Page<Organization>> {
  return toPage(
    await selectOrganizations(scene.session, page),
    page.limit,
    (organization) => organization.id,
  );
}

/** The organizations of a token: none for an empty list, never all. */
export async function organizationsOf(scene: Scene, ids: readonly string[]): Promise<Organization[]> {
  return selectOrganizationsById(scene.session, ids);
}

/** Where a user is a member now, by name. */
export async function organizationsOfUser(scene: Scene, userId: UserId): Promise<Organization[]> {
  return selectOrganizationsOfUser(scene.session, userId);
}
