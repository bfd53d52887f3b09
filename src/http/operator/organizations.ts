import { Organization as OrganizationSchema } from '../../contracts/head/organizations.ts';
import type { Environment } from '../../environments/environment.ts';
import {
  createOrganization,
  listOrganizations,
  organizationBody,
  renameOrganization,
} from '../../identity/organizations.ts';
import type { App } from '../app/create-app.ts';
import { pageBody, pageRequest } from '../app/paging.ts';
import { audited } from './acting-operator.ts';
import { described, Name, object, pageOf, pageQuery, says } from './fields.ts';
import { operationsOf } from './operation.ts';

const NewOrganization = object({ name: says(Name, 'What people call it.') });

const Organization = described(OrganizationSchema, {
  id: 'Begins with org_.',
  name: 'What people call it.',
  created_at: 'When it was created.',
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
    async (request) => pageBody(await listOrganizations(environment, pageRequest(request)), organizationBody),
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
      return organizationBody(organization);
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
      return organizationBody(organization);
    },
  );
}
