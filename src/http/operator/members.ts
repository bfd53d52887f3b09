import { Type } from 'typebox';
import type { Environment } from '../../environments/environment.ts';
import { addMember, listMembers, removeMember } from '../../identity/members.ts';
import type { Member } from '../../identity/types.ts';
import type { App } from '../app/create-app.ts';
import { pageBody, pageRequest } from '../app/paging.ts';
import { audited } from './acting-operator.ts';
import { AnyId } from './fields.ts';

const NewMember = Type.Object({ user_id: AnyId }, { additionalProperties: false });

export function memberRoutes(app: App, environment: Environment): void {
  app.get<{ Params: { id: string } }>('/operator/organizations/:id/members', async (request) =>
    pageBody(await listMembers(environment, request.params.id, pageRequest(request)), memberBody),
  );

  app.post<{ Params: { id: string }; Body: Type.Static<typeof NewMember> }>(
    '/operator/organizations/:id/members',
    { schema: { body: NewMember } },
    async (request, reply) => {
      const key = { organizationId: request.params.id, userId: request.body.user_id };
      const { createdAt } = await audited(environment, request, {
        act: (scene) => addMember(scene, key),
        entry: () => ({ action: 'member.added', ...key }),
      });
      return reply.status(201).send({
        organization_id: key.organizationId,
        user_id: key.userId,
        created_at: createdAt.toISOString(),
      });
    },
  );

  app.delete<{ Params: { id: string; user_id: string } }>(
    '/operator/organizations/:id/members/:user_id',
    async (request, reply) => {
      const key = { organizationId: request.params.id, userId: request.params.user_id };
      await audited(environment, request, {
        act: (scene) => removeMember(scene, key),
        entry: () => ({ action: 'member.removed', ...key }),
      });
      return reply.status(204).send();
    },
  );
}

function memberBody(member: Member) {
  return {
    organization_id: member.organizationId,
    user_id: member.userId,
    email: member.email,
    name: member.name,
    created_at: member.createdAt.toISOString(),
  };
}
