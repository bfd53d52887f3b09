import { Type } from 'typebox';
import type { Environment } from '../../environments/environment.ts';
import { hashPassword } from '../../identity/passwords.ts';
import type { User } from '../../identity/types.ts';
import { blockUser, deleteUser, listUsers, storeUser, unblockUser } from '../../identity/users.ts';
import type { App } from '../app/create-app.ts';
import { pageBody, pageRequest } from '../app/paging.ts';
import { audited } from './acting-operator.ts';
import { Email, Name, Password } from './fields.ts';

const NewUser = Type.Object(
  { email: Email, name: Name, password: Password },
  { additionalProperties: false },
);

export function userRoutes(app: App, environment: Environment): void {
  app.get('/operator/users', async (request) =>
    pageBody(await listUsers(environment, pageRequest(request)), userBody),
  );

  app.post<{ Body: Type.Static<typeof NewUser> }>(
    '/operator/users',
    { schema: { body: NewUser } },
    async (request, reply) => {
      const { password, ...names } = request.body;
      // Hashed before the transaction: hashing is slow, and would hold locks.
      const passwordHash = await hashPassword(password);
      const user = await audited(environment, request, {
        act: (scene) => storeUser(scene, { ...names, passwordHash }),
        entry: ({ id }) => ({ action: 'user.created', userId: id }),
      });
      return reply.status(201).send(userBody(user));
    },
  );

  app.post<{ Params: { id: string } }>('/operator/users/:id/block', async (request) =>
    userBody(
      await audited(environment, request, {
        act: (scene) => blockUser(scene, request.params.id),
        entry: ({ id }) => ({ action: 'user.blocked', userId: id }),
      }),
    ),
  );

  app.post<{ Params: { id: string } }>('/operator/users/:id/unblock', async (request) =>
    userBody(
      await audited(environment, request, {
        act: (scene) => unblockUser(scene, request.params.id),
        entry: ({ id }) => ({ action: 'user.unblocked', userId: id }),
      }),
    ),
  );

  app.delete<{ Params: { id: string } }>('/operator/users/:id', async (request, reply) => {
    await audited(environment, request, {
      act: (scene) => deleteUser(scene, request.params.id),
      entry: ({ id }) => ({ action: 'user.deleted', userId: id }),
    });
    return reply.status(204).send();
  });
}

function userBody(user: User) {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    blocked_at: user.blockedAt?.toISOString() ?? null,
    created_at: user.createdAt.toISOString(),
  };
}
