import { Type } from 'typebox';
import type { Environment } from '../../environments/environment.ts';
import { createPasswordLink } from '../../identity/password-links/password-links.ts';
import { hashPassword } from '../../identity/passwords.ts';
import { setPasswordHash } from '../../identity/set-password.ts';
import type { User } from '../../identity/types.ts';
import { blockUser, listUsers, storeUser, unblockUser } from '../../identity/users.ts';
import type { App } from '../app/create-app.ts';
import { pageBody, pageRequest } from '../app/paging.ts';
import { audited } from './acting-operator.ts';
import { Email, Name, Password } from './fields.ts';

const NewUser = Type.Object(
  { email: Email, name: Name, password: Password },
  { additionalProperties: false },
);

const NewPassword = Type.Object({ password: Password }, { additionalProperties: false });

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

  app.post<{ Params: { id: string }; Body: Type.Static<typeof NewPassword> }>(
    '/operator/users/:id/set-password',
    { schema: { body: NewPassword } },
    async (request) => {
      const passwordHash = await hashPassword(request.body.password);
      const user = await audited(environment, request, {
        act: (scene) => setPasswordHash(scene, request.params.id, passwordHash),
        entry: ({ id }) => ({ action: 'user.password_set', userId: id }),
      });
      return userBody(user);
    },
  );

  app.post<{ Params: { id: string } }>('/operator/users/:id/password-link', async (request, reply) => {
    const { user, linkValue, expiresAt } = await audited(environment, request, {
      act: (scene) => createPasswordLink(scene, request.params.id),
      entry: (link) => ({ action: 'user.password_link_created', userId: link.user.id }),
    });
    const url = `${environment.issuer}/account/set-password/${linkValue}`;
    return reply.status(201).send({ user_id: user.id, url, expires_at: expiresAt.toISOString() });
  });

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
