import { Type } from 'typebox';
import type { Environment, Scene } from '../../environments/environment.ts';
import type { Operator } from '../../identity/operator-keys.ts';
import {
  createOrganization,
  deleteOrganization,
  listOrganizations,
  organizationBody,
  renameOrganization,
  requireOrganization,
} from '../../identity/organizations.ts';
import type { Organization } from '../../identity/types.ts';
import type { Page } from '../../kernel/page.ts';
import { deleteClient, listClients } from '../../oauth/clients/administer-clients.ts';
import { forgetProductsOf } from '../../products/products.ts';
import { deleteEndpoint } from '../../webhooks/endpoints/delete-endpoint.ts';
import { listEndpoints } from '../../webhooks/endpoints/read-endpoints.ts';
import type { App } from '../app/create-app.ts';
import { pageBody, pageRequest } from '../app/paging.ts';
import { audited, operatorOf } from './acting-operator.ts';
import { Name } from './fields.ts';

const NewOrganization = Type.Object({ name: Name }, { additionalProperties: false });

export function organizationRoutes(app: App, environment: Environment): void {
  app.get('/operator/organizations', async (request) =>
    pageBody(await listOrganizations(environment, pageRequest(request)), organizationBody),
  );

  app.post<{ Body: Type.Static<typeof NewOrganization> }>(
    '/operator/organizations',
    { schema: { body: NewOrganization } },
    async (request, reply) => {
      const organization = await audited(environment, request, {
        act: (scene) => createOrganization(scene, request.body),
        entry: ({ id }) => ({ action: 'organization.created', organizationId: id }),
      });
      return reply.status(201).send(organizationBody(organization));
    },
  );

  app.patch<{ Params: { id: string }; Body: Type.Static<typeof NewOrganization> }>(
    '/operator/organizations/:id',
    { schema: { body: NewOrganization } },
    async (request) => {
      const organization = await audited(environment, request, {
        act: (scene) => renameOrganization(scene, request.params.id, request.body.name),
        entry: ({ id }) => ({ action: 'organization.updated', organizationId: id }),
      });
      return organizationBody(organization);
    },
  );

  app.delete<{ Params: { id: string } }>('/operator/organizations/:id', async (request, reply) => {
    await audited(environment, request, {
      act: (scene) => deleteWithAllItHas(scene, request.params.id, operatorOf(request)),
      entry: ({ id }) => ({ action: 'organization.deleted', organizationId: id }),
    });
    return reply.status(204).send();
  });
}

const AT_ONCE = 100;

/** Its endpoints first, so that the end of the rest is sent to nobody; then clients with all their tokens. */
async function deleteWithAllItHas(scene: Scene, id: string, actor: Operator): Promise<Organization> {
  const organization = await requireOrganization(scene, id);
  const reach = [organization.id];
  await forEach(
    () => listEndpoints(scene, reach, { after: null, limit: AT_ONCE }),
    (endpoint) => deleteEndpoint(scene, { reach, id: endpoint.id }, actor),
  );
  await forEach(
    () => listClients(scene, organization.id, { after: null, limit: AT_ONCE }),
    async (client) => void (await deleteClient(scene, client.id)),
  );
  await forgetProductsOf(scene, organization.id);
  await deleteOrganization(scene, organization.id);
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
