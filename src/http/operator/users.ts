import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Wire } from '../../contracts/head/operation-parts.ts';
import { blockUser, deleteUser } from '../../directory/users.ts';
import type { Context, Environment } from '../../environments/environment.ts';
import { setPasswordHash } from '../../identity/change-password.ts';
import { organizationsOfUser } from '../../identity/organizations.ts';
import { createPasswordLink } from '../../identity/password-links/password-links.ts';
import { hashPassword } from '../../identity/passwords.ts';
import type { User as StoredUser } from '../../identity/types.ts';
import { listUsers, requireUser, storeUser, unblockUser } from '../../identity/users.ts';
import type { App } from '../app/create-app.ts';
import { pageBody, searchRequest } from '../app/paging.ts';
import { audited } from './acting-operator.ts';
import {
  describe,
  Email,
  Name,
  object,
  orNull,
  Password,
  pageOf,
  searchQuery,
  Text,
  Time,
} from './fields.ts';
import { operationsOf } from './operation.ts';

const NewUser = object({
  email: describe(Email, 'The email address to sign in with; unique.'),
  name: describe(Name, 'The name of the user.'),
  password: describe(Password, 'Their first password. It is stored as a hash, and never shown.'),
});

const User = object({
  id: describe(Text, 'Begins with usr_.'),
  email: describe(Text, 'The email address to sign in with.'),
  name: describe(Text, 'The name of the user.'),
  blocked_at: describe(orNull(Time), 'Since when the user is blocked; null if they are not.'),
  created_at: describe(Time, 'When the user was created.'),
});

const UserDetail = object({
  ...User.properties,
  organizations: describe(
    Type.Array(
      object({
        id: describe(Text, 'The id of an organization.'),
        name: describe(Text, 'Its name.'),
      }),
    ),
    'Where the user is a member.',
  ),
});

const params = { id: 'The id of the user.' };

const NewPassword = object({
  password: describe(Password, 'The new password. It is stored as a hash, and never shown.'),
});

const PasswordLink = object({
  user_id: describe(Text, 'The user whose password it sets.'),
  url: describe(Text, 'The link.'),
  expires_at: describe(Time, 'Until when it can be used.'),
});

export function userRoutes(app: App, environment: Environment): void {
  const operation = operationsOf(app, 'Users');

  async function change(
    request: FastifyRequest,
    action: string,
    act: (context: Context) => Promise<StoredUser>,
  ) {
    const entry = ({ id }: StoredUser) => ({ action, userId: id });
    return userBody(await audited(environment, request, { act, entry }));
  }

  operation(
    'GET /operator/users',
    {
      id: 'list_users',
      needs: 'viewer',
      summary: 'List all users',
      query: searchQuery,
      answer: { description: 'A page of users, oldest first.', body: pageOf(User) },
    },
    async (request) => pageBody(await listUsers(environment, searchRequest(request)), userBody),
  );

  operation(
    'GET /operator/users/:id',
    {
      id: 'read_user',
      needs: 'viewer',
      summary: 'Show a user, and the organizations that they are a member of',
      params,
      answer: { description: 'The user.', body: UserDetail },
    },
    async (request) => {
      const user = await requireUser(environment, request.params.id);
      const organizations = await organizationsOfUser(environment, user.id);
      return {
        ...userBody(user),
        organizations: organizations.map(({ id, name }) => ({ id, name })),
      };
    },
  );

  operation(
    'POST /operator/users',
    {
      id: 'create_user',
      needs: 'admin',
      summary: 'Create a user',
      description: 'The user belongs to no organization until they are made a member of one.',
      body: NewUser,
      answer: { status: 201, description: 'The new user.', body: User },
      errors: ['conflict', 'too_many_requests'],
    },
    async (request) => {
      const { password, ...names } = request.body;
      // Hashed before the transaction: hashing is slow, and would hold locks.
      const passwordHash = await hashPassword(password);
      return change(request, 'user.created', (context) => storeUser(context, { ...names, passwordHash }));
    },
  );

  operation(
    'POST /operator/users/:id/set-password',
    {
      id: 'set_user_password',
      needs: 'admin',
      summary: 'Set the password of a user',
      description: 'The user is signed out everywhere.',
      params,
      body: NewPassword,
      answer: { description: 'The user.', body: User },
      errors: ['too_many_requests'],
    },
    async (request) => {
      const passwordHash = await hashPassword(request.body.password);
      return change(request, 'user.password_set', (context) =>
        setPasswordHash(context, request.params.id, passwordHash),
      );
    },
  );

  operation(
    'POST /operator/users/:id/password-link',
    {
      id: 'create_password_link',
      needs: 'admin',
      summary: 'Make a link with which a user sets a password',
      description: 'It can be used once. Send it to the user; whoever has it can set the password.',
      params,
      answer: { status: 201, description: 'The link. It is shown only in this answer.', body: PasswordLink },
    },
    async (request) => {
      const { user, linkValue, expiresAt } = await audited(environment, request, {
        act: (context) => createPasswordLink(context, request.params.id),
        entry: (link) => ({ action: 'user.password_link_created', userId: link.user.id }),
      });
      const url = `${environment.issuer}/account/set-password/${linkValue}`;
      return { user_id: user.id, url, expires_at: expiresAt.toISOString() };
    },
  );

  operation(
    'POST /operator/users/:id/block',
    {
      id: 'block_user',
      needs: 'admin',
      summary: 'Block a user',
      description: 'The user is signed out, and all their tokens are inactive at once.',
      params,
      answer: { description: 'The blocked user.', body: User },
    },
    async (request) => change(request, 'user.blocked', (context) => blockUser(context, request.params.id)),
  );

  operation(
    'POST /operator/users/:id/unblock',
    {
      id: 'unblock_user',
      needs: 'admin',
      summary: 'Unblock a user',
      description: 'Tokens that have not expired work as before.',
      params,
      answer: { description: 'The user.', body: User },
    },
    async (request) =>
      change(request, 'user.unblocked', (context) => unblockUser(context, request.params.id)),
  );

  operation(
    'DELETE /operator/users/:id',
    {
      id: 'delete_user',
      needs: 'admin',
      summary: 'Delete a user for good',
      description:
        'Their tokens are inactive at once, and their name and address are erased. Only the id stays, where the audit log and events refer to it.',
      params,
      answer: { status: 204, description: 'The user is deleted.' },
    },
    async (request) => {
      await audited(environment, request, {
        act: (context) => deleteUser(context, request.params.id),
        entry: ({ id }) => ({ action: 'user.deleted', userId: id }),
      });
    },
  );
}

function userBody(user: StoredUser): Wire<typeof User> {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    blocked_at: user.blockedAt?.toISOString() ?? null,
    created_at: user.createdAt.toISOString(),
  };
}
