import { Type } from 'typebox';
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
}
