import { Type } from 'typebox';
import type { Environment } from '../../environments/environment.ts';
import type { User } from '../../identity/types.ts';
import { blockUser, createUser, listUsers, unblockUser } from '../../identity/users.ts';
import type { App } from '../create-app.ts';
import { pageBody, pageRequest } from '../paging.ts';
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
    async (request, reply) => reply.status(201).send(userBody(await createUser(environment, request.body))),
  );

  app.post<{ Params: { id: string } }>('/operator/users/:id/block', async (request) =>
    userBody(await blockUser(environment, request.params.id)),
  );

  app.post<{ Params: { id: string } }>('/operator/users/:id/unblock', async (request) =>
    userBody(await unblockUser(environment, request.params.id)),
  );
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
