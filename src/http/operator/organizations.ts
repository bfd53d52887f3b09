import { Type } from 'typebox';
import type { Environment } from '../../environments/environment.ts';
import {
  createOrganization,
  listOrganizations,
  organizationBody,
  renameOrganization,
  resumeOrganization,
  suspendOrganization,
} from '../../identity/organizations.ts';
import type { Organization } from '../../identity/types.ts';
import type { App } from '../app/create-app.ts';
import { pageBody, pageRequest } from '../app/paging.ts';
import { audited } from './acting-operator.ts';
import { Name } from './fields.ts';

const NewOrganization = Type.Object({ name: Name }, { additionalProperties: false });

export function organizationRoutes(app: App, environment: Environment): void {
  app.get('/operator/organizations', async (request) =>
    pageBody(await listOrganizations(environment, pageRequest(request)), shownBody),
  );

  app.post<{ Body: Type.Static<typeof NewOrganization> }>(
    '/operator/organizations',
    { schema: { body: NewOrganization } },
    async (request, reply) => {
      const organization = await audited(environment, request, {
        act: (scene) => createOrganization(scene, request.body),
        entry: ({ id }) => ({ action: 'organization.created', organizationId: id }),
      });
      return reply.status(201).send(shownBody(organization));
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
      return shownBody(organization);
    },
  );

  app.post<{ Params: { id: string } }>('/operator/organizations/:id/suspend', async (request) =>
    shownBody(
      await audited(environment, request, {
        act: (scene) => suspendOrganization(scene, request.params.id),
        entry: ({ id }) => ({ action: 'organization.suspended', organizationId: id }),
      }),
    ),
  );

  app.post<{ Params: { id: string } }>('/operator/organizations/:id/resume', async (request) =>
    shownBody(
      await audited(environment, request, {
        act: (scene) => resumeOrganization(scene, request.params.id),
        entry: ({ id }) => ({ action: 'organization.resumed', organizationId: id }),
      }),
    ),
  );
}

/** Operators see more of an organization than its members do. */
function shownBody(organization: Organization) {
  return {
    ...organizationBody(organization),
    suspended_at: organization.suspendedAt?.toISOString() ?? null,
  };
}
