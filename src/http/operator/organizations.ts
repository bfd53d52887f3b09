import type { FastifyRequest } from 'fastify';
import { Organization as OrganizationSchema } from '../../contracts/head/organizations.ts';
import {
  deleteOrganization,
  renameOrganization,
  suspendOrganization,
} from '../../directory/organizations.ts';
import type { Context, Environment } from '../../environments/environment.ts';
import type { Operator } from '../../identity/operator-keys.ts';
import {
  createOrganization,
  listOrganizations,
  organizationBody,
  requireOrganization,
  resumeOrganization,
} from '../../identity/organizations.ts';
import type { Organization as StoredOrganization } from '../../identity/types.ts';
import type { Page } from '../../kernel/page.ts';
import { listClients } from '../../oauth/clients/clients/administer-clients.ts';
import { deleteClient } from '../../oauth/clients/registration/delete-client.ts';
import { forgetProductsOf } from '../../products/products.ts';
import { deleteEndpoint } from '../../webhooks/endpoints/delete-endpoint.ts';
import { listEndpoints } from '../../webhooks/endpoints/read-endpoints.ts';
import type { App } from '../app/create-app.ts';
import { pageBody, searchRequest } from '../app/paging.ts';
import { audited, operatorOf } from './acting-operator.ts';
import { describe, described, Name, object, orNull, pageOf, searchQuery, Time } from './fields.ts';
import { operationsOf } from './operation.ts';

const NewOrganization = object({ name: describe(Name, 'Its name.') });

/** Operators see more of an organization than its members do. */
const Organization = object({
  ...described(OrganizationSchema, {
    id: 'Begins with org_.',
    name: 'Its name.',
    created_at: 'When it was created.',
  }).properties,
  suspended_at: describe(orNull(Time), 'Since when it is suspended; null if it is not.'),
});

export function organizationRoutes(app: App, environment: Environment): void {
  const operation = operationsOf(app, 'Organizations');

  async function change(
    request: FastifyRequest,
    action: string,
    act: (context: Context) => Promise<StoredOrganization>,
  ) {
    const entry = ({ id }: StoredOrganization) => ({ action, organizationId: id });
    return shownBody(await audited(environment, request, { act, entry }));
  }

  operation(
    'GET /operator/organizations',
    {
      id: 'list_organizations',
      needs: 'viewer',
      summary: 'List all organizations',
      query: searchQuery,
      answer: { description: 'A page of organizations, oldest first.', body: pageOf(Organization) },
    },
    async (request) => pageBody(await listOrganizations(environment, searchRequest(request)), shownBody),
  );

  operation(
    'GET /operator/organizations/:id',
    {
      id: 'read_organization',
      needs: 'viewer',
      summary: 'Show an organization',
      params: { id: 'The id of the organization.' },
      answer: { description: 'The organization.', body: Organization },
    },
    async (request) => shownBody(await requireOrganization(environment, request.params.id)),
  );

  operation(
    'POST /operator/organizations',
    {
      id: 'create_organization',
      needs: 'admin',
      summary: 'Create an organization',
      body: NewOrganization,
      answer: { status: 201, description: 'The new organization.', body: Organization },
    },
    async (request) =>
      change(request, 'organization.created', (context) => createOrganization(context, request.body)),
  );

  operation(
    'PATCH /operator/organizations/:id',
    {
      id: 'rename_organization',
      needs: 'admin',
      summary: 'Give an organization another name',
      description:
        'Its webhook endpoints get the event organization.updated, unless the name stays the same.',
      params: { id: 'The id of the organization.' },
      body: NewOrganization,
      answer: { description: 'The organization under its new name.', body: Organization },
    },
    async (request) =>
      change(request, 'organization.updated', (context) =>
        renameOrganization(context, request.params.id, request.body.name),
      ),
  );

  operation(
    'POST /operator/organizations/:id/suspend',
    {
      id: 'suspend_organization',
      needs: 'admin',
      summary: 'Suspend an organization',
      description: 'Until it is resumed, its tokens do not reach it, and its events are held.',
      params: { id: 'The id of the organization.' },
      answer: { description: 'The organization, suspended.', body: Organization },
    },
    async (request) =>
      change(request, 'organization.suspended', (context) => suspendOrganization(context, request.params.id)),
  );

  operation(
    'POST /operator/organizations/:id/resume',
    {
      id: 'resume_organization',
      needs: 'admin',
      summary: 'Resume a suspended organization',
      description: 'Events that were held meanwhile stay held; they can be recovered.',
      params: { id: 'The id of the organization.' },
      answer: { description: 'The organization, no longer suspended.', body: Organization },
    },
    async (request) =>
      change(request, 'organization.resumed', (context) => resumeOrganization(context, request.params.id)),
  );

  operation(
    'DELETE /operator/organizations/:id',
    {
      id: 'delete_organization',
      needs: 'admin',
      summary: 'Delete an organization for good',
      description:
        'Its webhook endpoints, its clients with all their tokens, and its products go with it. Only its id stays, where the audit log and events refer to it.',
      params: { id: 'The id of the organization.' },
      answer: { status: 204, description: 'The organization is deleted.' },
    },
    async (request) => {
      await audited(environment, request, {
        act: (context) => deleteWithAllItHas(context, request.params.id, operatorOf(request)),
        entry: ({ id }) => ({ action: 'organization.deleted', organizationId: id }),
      });
    },
  );
}

function shownBody(organization: StoredOrganization) {
  return {
    ...organizationBody(organization),
    suspended_at: organization.suspendedAt?.toISOString() ?? null,
  };
}

const AT_ONCE = 100;

/** Its endpoints first, so that the end of the rest is sent to nobody; then clients with all their tokens. */
async function deleteWithAllItHas(
  context: Context,
  id: string,
  actor: Operator,
): Promise<StoredOrganization> {
  const organization = await requireOrganization(context, id);
  const reach = [organization.id];
  await forEach(
    () => listEndpoints(context, reach, { after: null, limit: AT_ONCE }),
    (endpoint) => deleteEndpoint(context, { reach, id: endpoint.id }, actor),
  );
  await forEach(
    () => listClients(context, organization.id, { after: null, limit: AT_ONCE }),
    async (client) => void (await deleteClient(context, client.id)),
  );
  await forgetProductsOf(context, organization.id);
  await deleteOrganization(context, organization.id);
  return organization;
}

/** Until none is left: each is gone from the list when it is deleted. */
async function forEach<Item>(
  list: () => Promise<Page<Item>>,
  remove: (item: Item) => Promise<void>,
): Promise<void> {
  for (let page = await list(); page.items.length > 0; page = await list())
    for (const item of page.items) await remove(item);
}
