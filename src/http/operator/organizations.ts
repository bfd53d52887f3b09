import { Organization as OrganizationSchema } from '../../contracts/head/organizations.ts';
import type { Environment } from '../../environments/environment.ts';
import {
  createOrganization,
  listOrganizations,
  organizationBody,
  renameOrganization,
  resumeOrganization,
  suspendOrganization,
} from '../../identity/organizations.ts';
import type { Organization as StoredOrganization } from '../../identity/types.ts';
import type { App } from '../app/create-app.ts';
import { pageBody, pageRequest } from '../app/paging.ts';
import { audited } from './acting-operator.ts';
import { described, Name, object, orNull, pageOf, pageQuery, says, Time } from './fields.ts';
import { operationsOf } from './operation.ts';

const NewOrganization = object({ name: says(Name, 'What people call it.') });

/** Operators see more of an organization than its members do. */
const Organization = object({
  ...described(OrganizationSchema, {
    id: 'Begins with org_.',
    name: 'What people call it.',
    created_at: 'When it was created.',
  }).properties,
  suspended_at: says(orNull(Time), 'Since when it is suspended; null if it is not.'),
});

export function organizationRoutes(app: App, environment: Environment): void {
  const operation = operationsOf(app, 'Organizations');

  operation(
    'GET /operator/organizations',
    {
      id: 'list_organizations',
      needs: 'viewer',
      summary: 'List all organizations',
      query: pageQuery,
      answer: { status: 200, says: 'A page of organizations, oldest first.', body: pageOf(Organization) },
    },
    async (request) => pageBody(await listOrganizations(environment, pageRequest(request)), shownBody),
  );

  operation(
    'POST /operator/organizations',
    {
      id: 'create_organization',
      needs: 'admin',
      summary: 'Create an organization',
      body: NewOrganization,
      answer: { status: 201, says: 'The new organization.', body: Organization },
    },
    async (request) => {
      const organization = await audited(environment, request, {
        act: (scene) => createOrganization(scene, request.body),
        entry: ({ id }) => ({ action: 'organization.created', organizationId: id }),
      });
      return shownBody(organization);
    },
  );

  operation(
    'PATCH /operator/organizations/:id',
    {
      id: 'rename_organization',
      needs: 'admin',
      summary: 'Give an organization another name',
      says: 'Its webhook endpoints get the event organization.updated, unless the name stays the same.',
      params: { id: 'The id of the organization.' },
      body: NewOrganization,
      answer: { status: 200, says: 'The organization under its new name.', body: Organization },
      errors: ['not_found'],
    },
    async (request) => {
      const organization = await audited(environment, request, {
        act: (scene) => renameOrganization(scene, request.params.id, request.body.name),
        entry: ({ id }) => ({ action: 'organization.updated', organizationId: id }),
      });
      return shownBody(organization);
    },
  );

  operation(
    'POST /operator/organizations/:id/suspend',
    {
      id: 'suspend_organization',
      needs: 'admin',
      summary: 'Suspend an organization',
      says: 'Until it is resumed, its tokens do not reach it, and its events are held.',
      params: { id: 'The id of the organization.' },
      answer: { status: 200, says: 'The organization, suspended.', body: Organization },
      errors: ['not_found'],
    },
    async (request) =>
      shownBody(
        await audited(environment, request, {
          act: (scene) => suspendOrganization(scene, request.params.id),
          entry: ({ id }) => ({ action: 'organization.suspended', organizationId: id }),
        }),
      ),
  );

  operation(
    'POST /operator/organizations/:id/resume',
    {
      id: 'resume_organization',
      needs: 'admin',
      summary: 'Resume a suspended organization',
      says: 'Events that were held meanwhile stay held; they can be recovered.',
      params: { id: 'The id of the organization.' },
      answer: { status: 200, says: 'The organization, no longer suspended.', body: Organization },
      errors: ['not_found'],
    },
    async (request) =>
      shownBody(
        await audited(environment, request, {
          act: (scene) => resumeOrganization(scene, request.params.id),
          entry: ({ id }) => ({ action: 'organization.resumed', organizationId: id }),
        }),
      ),
  );
}

function shownBody(organization: StoredOrganization) {
  return {
    ...organizationBody(organization),
    suspended_at: organization.suspendedAt?.toISOString() ?? null,
  };
}
