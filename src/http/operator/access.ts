import { Type } from 'typebox';
import type { Context, Environment } from '../../environments/environment.ts';
import { listSessionsOf } from '../../identity/sessions/sign-in-sessions.ts';
import { deleteSessionsOf } from '../../identity/sessions/store.ts';
import { requireUser } from '../../identity/users.ts';
import type { Page } from '../../kernel/page.ts';
import { readClient } from '../../oauth/clients/clients/administer-clients.ts';
import type { CallerGrant } from '../../oauth/grants/caller-grants/store.ts';
import { endGrant, grantsOfClient, grantsOfUser } from '../../oauth/grants/oversee-grants.ts';
import type { App } from '../app/create-app.ts';
import { pageBody, pageRequest } from '../app/paging.ts';
import { audited, operatorOf } from './acting-operator.ts';
import { describe, object, orNull, pageOf, pageQuery, Revoking, Text, Time } from './fields.ts';
import { nameField, namesOf } from './names.ts';
import { operationsOf } from './operation.ts';

const Session = object({
  signed_in_at: describe(Time, 'When the user signed in with the password.'),
  last_used_at: describe(Time, 'When the session was last used, to the minute.'),
  expires_at: describe(Time, 'When it ends, even if it is in use.'),
});

const Grant = object({
  id: describe(Text, 'Begins with gra_.'),
  client_id: describe(Text, 'The client that may act.'),
  client_name: describe(Text, 'Its name.'),
  user_id: describe(orNull(Text), "The user that has allowed it; null for a client's own."),
  user_name: nameField('The name of the user now; null if there is none.'),
  scopes: describe(Type.Array(Text), 'What it may do.'),
  organization_ids: describe(Type.Array(Text), 'Where.'),
  organization_names: describe(Type.Array(nameField()), 'Their names, in the same order.'),
  created_at: describe(Time, 'Since when.'),
  expires_at: describe(Time, 'When it ends at the latest.'),
});

/** Where people are signed in, and what they and clients have allowed. */
export function accessRoutes(app: App, environment: Environment): void {
  sessionRoutes(app, environment);
  grantRoutes(app, environment);
}

const ofUser = { id: 'The id of the user.' };

function sessionRoutes(app: App, environment: Environment): void {
  const operation = operationsOf(app, 'Users');

  operation(
    'GET /operator/users/:id/sessions',
    {
      id: 'list_user_sessions',
      needs: 'viewer',
      summary: 'List the browsers in which a user is signed in',
      params: ofUser,
      answer: { description: 'The sessions, all on one page.', body: pageOf(Session) },
    },
    async (request) => {
      const { id } = await requireUser(environment, request.params.id);
      const items = (await listSessionsOf(environment, id)).map((session) => ({
        signed_in_at: session.authenticatedAt.toISOString(),
        last_used_at: session.lastUsedAt.toISOString(),
        expires_at: session.expiresAt.toISOString(),
      }));
      return { items, pagination: { next_cursor: null } };
    },
  );

  operation(
    'DELETE /operator/users/:id/sessions',
    {
      id: 'end_user_sessions',
      needs: 'admin',
      summary: 'Sign a user out everywhere',
      description: 'Tokens stay as they are.',
      params: ofUser,
      answer: { status: 204, description: 'The user is signed out.' },
    },
    async (request) => {
      await audited(environment, request, {
        act: async (context) => {
          const { id } = await requireUser(context, request.params.id);
          await deleteSessionsOf(context.session, id);
          return id;
        },
        entry: (userId) => ({ action: 'user.signed_out', userId }),
      });
    },
  );
}

function grantRoutes(app: App, environment: Environment): void {
  const operation = operationsOf(app, 'Tokens');
  const grants = {
    description: 'A page of grants, oldest first.',
    body: pageOf(Grant),
  } as const;

  operation(
    'GET /operator/users/:id/grants',
    {
      id: 'list_user_grants',
      needs: 'viewer',
      summary: 'List the live grants of a user',
      params: ofUser,
      query: pageQuery,
      answer: grants,
    },
    async (request) => {
      const { id } = await requireUser(environment, request.params.id);
      return grantsBody(environment, await grantsOfUser(environment, id, pageRequest(request)));
    },
  );

  operation(
    'GET /operator/clients/:id/grants',
    {
      id: 'list_client_grants',
      needs: 'viewer',
      summary: 'List the live grants of a client',
      params: { id: 'The id of the client.' },
      query: pageQuery,
      answer: grants,
    },
    async (request) => {
      const { client } = await readClient(environment, request.params.id);
      return grantsBody(environment, await grantsOfClient(environment, client.id, pageRequest(request)));
    },
  );

  operation(
    'POST /operator/grants/:id/revoke',
    {
      id: 'revoke_grant',
      needs: 'admin',
      summary: 'Revoke a grant, with all of its tokens',
      params: { id: 'The id of the grant.' },
      body: Revoking,
      answer: { status: 204, description: 'It has ended.' },
    },
    async (request) => {
      const { reason = 'revoked by an operator' } = request.body;
      await endGrant(environment, request.params.id, { actor: operatorOf(request), reason });
    },
  );
}

async function grantsBody(context: Context, page: Page<CallerGrant>) {
  const nameOf = await namesOf(
    context,
    page.items.flatMap(({ userId, organizationIds }) => [userId, ...organizationIds]),
  );
  return pageBody(page, (grant) => ({
    id: grant.id,
    client_id: grant.clientId,
    client_name: grant.clientName,
    user_id: grant.userId,
    user_name: nameOf(grant.userId),
    scopes: grant.scopes,
    organization_ids: grant.organizationIds,
    organization_names: grant.organizationIds.map(nameOf),
    created_at: grant.createdAt.toISOString(),
    expires_at: grant.expiresAt.toISOString(),
  }));
}
