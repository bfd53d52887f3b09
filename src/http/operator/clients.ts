import type { Wire } from '../../contracts/head/operation-parts.ts';
import type { Context, Environment } from '../../environments/environment.ts';
import type { KnownScopes } from '../../environments/known-scopes.ts';
import {
  disableClient,
  enableClient,
  liftLimits,
  limitClient,
  listClients,
  readClient,
  setUpClient,
} from '../../oauth/clients/clients/administer-clients.ts';
import { type ClientLimits, usualGrants } from '../../oauth/clients/clients/client-terms.ts';
import { revokeSecret, rotateSecret } from '../../oauth/clients/clients/rotate-secret.ts';
import { deleteClient } from '../../oauth/clients/registration/delete-client.ts';
import { type ClientSecret, type OAuthClient, USUAL_ALGORITHM } from '../../oauth/types.ts';
import { lastFailuresOf } from '../../usage/failures/read-failures.ts';
import type { FailedRequest } from '../../usage/failures/types.ts';
import type { App } from '../app/create-app.ts';
import { pageBody, searchRequest } from '../app/paging.ts';
import { audited, type OperatorEntry, reasonOf } from './acting-operator.ts';
import {
  type Changes,
  Client,
  ClientWithSecrets,
  CreatedClient,
  changesWith,
  ListedClient,
  type LiveSecret,
  type NewClient,
  newClientWith,
  RevokedSecret,
  RotatedSecret,
} from './client-fields.ts';
import { AnyId, Disabling, optional, pageOf, searchQuery } from './fields.ts';
import { type NameOf, namesOf } from './names.ts';
import { operationsOf } from './operation.ts';

const params = { id: 'The id of the client.' };

/** OAuth clients and their secrets, for operators. */
export function clientRoutes(app: App, environment: Environment): void {
  const operation = operationsOf(app, 'OAuth clients');

  operation(
    'GET /operator/clients',
    {
      id: 'list_clients',
      needs: 'viewer',
      summary: 'List OAuth clients',
      query: {
        organization_id: optional(AnyId, 'Only the clients of this organization.'),
        ...searchQuery,
      },
      answer: { description: 'A page of clients, oldest first.', body: pageOf(ListedClient) },
      errors: ['not_found'],
    },
    async (request) => {
      const page = await listClients(environment, request.query.organization_id, searchRequest(request));
      const nameOf = await namesOf(
        environment,
        page.items.map(({ organizationId }) => organizationId),
      );
      const failures = await lastFailuresOf(
        environment,
        page.items.map(({ id }) => id),
      );
      return pageBody(page, (client) => ({
        ...clientBody(client, nameOf),
        last_failure: failureBody(failures.get(client.id)),
      }));
    },
  );

  operation(
    'POST /operator/clients',
    {
      id: 'create_client',
      needs: 'admin',
      summary: 'Create an OAuth client',
      body: newClientWith(environment.scopes),
      answer: {
        status: 201,
        description:
          'The new client; this is the only answer that shows its secret. A public client has none.',
        body: CreatedClient,
      },
      errors: ['not_found', 'conflict'],
    },
    async (request) => {
      const { client, secret } = await audited(environment, request, {
        act: (context) => setUpClient(context, descriptionOf(request.body, context.scopes)),
        entry: (created) => clientEntry('client.created', created.client),
      });
      const shown = secret ? { secret_id: secret.id, client_secret: secret.secretValue } : {};
      return { ...(await shownBody(environment, client)), ...shown };
    },
  );

  operation(
    'GET /operator/clients/:id',
    {
      id: 'read_client',
      needs: 'viewer',
      summary: 'Show a client and when its secrets were used',
      params,
      answer: { description: 'The client.', body: ClientWithSecrets },
    },
    async (request) => {
      const { client, limits, secrets } = await readClient(environment, request.params.id);
      return {
        ...(await shownBody(environment, client)),
        limits: limitsBody(limits),
        secrets: secrets.map(secretBody),
      };
    },
  );

  operation(
    'PATCH /operator/clients/:id',
    {
      id: 'change_client',
      needs: 'admin',
      summary: 'Change a client',
      description:
        'Fields that are left out stay as they are; a list is replaced as a whole. What is set here is the most that a client which registered itself can have.',
      params,
      body: changesWith(environment.scopes),
      answer: { description: 'The changed client.', body: Client },
      errors: ['conflict'],
    },
    async (request) => {
      const { client } = await audited(environment, request, {
        act: (context) => changeAsOperator(context, request.params.id, request.body),
        entry: ({ client: changed, before, after }) =>
          clientEntry('client.updated', changed, { changed: Object.keys(request.body), before, after }),
      });
      return shownBody(environment, client);
    },
  );

  operation(
    'DELETE /operator/clients/:id',
    {
      id: 'delete_client',
      needs: 'admin',
      summary: 'Delete a client for good',
      description: 'Its tokens, its secrets and its registration end at once.',
      params,
      answer: { status: 204, description: 'The client is deleted.' },
    },
    async (request) => {
      await audited(environment, request, {
        act: (context) => deleteClient(context, request.params.id),
        entry: (client) => clientEntry('client.deleted', client),
      });
    },
  );

  operation(
    'POST /operator/clients/:id/disable',
    {
      id: 'disable_client',
      needs: 'support',
      summary: 'Refuse a client and all its tokens until it is enabled again',
      params,
      body: Disabling,
      bodyOptional: true,
      answer: { description: 'The disabled client.', body: Client },
    },
    async (request) => {
      const reason = reasonOf(request, request.body.reason);
      const disabled = await audited(environment, request, {
        act: (context) => disableClient(context, request.params.id),
        entry: (client) => ({ ...clientEntry('client.disabled', client), reason }),
      });
      return shownBody(environment, disabled);
    },
  );

  operation(
    'POST /operator/clients/:id/enable',
    {
      id: 'enable_client',
      needs: 'admin',
      summary: 'Enable a client again',
      description: 'Tokens that have not expired work as before.',
      params,
      answer: { description: 'The client.', body: Client },
    },
    async (request) =>
      shownBody(
        environment,
        await audited(environment, request, {
          act: (context) => enableClient(context, request.params.id),
          entry: (client) => clientEntry('client.enabled', client),
        }),
      ),
  );

  secretRoutes(app, environment);
}

function secretRoutes(app: App, environment: Environment): void {
  const operation = operationsOf(app, 'OAuth clients');

  operation(
    'POST /operator/clients/:id/rotate-secret',
    {
      id: 'rotate_client_secret',
      needs: 'admin',
      summary: 'Give a client a new secret',
      description: 'The one before stays live until the next rotation, or until it is revoked.',
      params,
      answer: { description: 'The new secret; this is the only answer that shows it.', body: RotatedSecret },
      errors: ['conflict'],
    },
    async (request) => {
      const { client, id, secretValue, revokedIds } = await audited(environment, request, {
        act: (context) => rotateSecret(context, request.params.id),
        entry: (rotated) =>
          clientEntry('client.secret_rotated', rotated.client, {
            secret_id: rotated.id,
            revoked_secret_ids: rotated.revokedIds,
          }),
      });
      return {
        client_id: client.id,
        secret_id: id,
        client_secret: secretValue,
        revoked_secret_ids: revokedIds,
      };
    },
  );

  operation(
    'POST /operator/clients/:id/secrets/:secret_id/revoke',
    {
      id: 'revoke_client_secret',
      needs: 'admin',
      summary: 'Revoke a secret of a client',
      description: 'It is refused at once, also if it is the last one.',
      params: { ...params, secret_id: 'The id of the secret.' },
      answer: { description: 'The secret is revoked.', body: RevokedSecret },
    },
    async (request) => {
      const { id, secret_id } = request.params;
      await audited(environment, request, {
        act: (context) => revokeSecret(context, id, secret_id),
        entry: (client) => clientEntry('client.secret_revoked', client, { secret_id }),
      });
      return { client_id: id, secret_id, revoked: true as const };
    },
  );
}

function clientEntry(
  action: string,
  { id, organizationId }: OAuthClient,
  details: Readonly<Record<string, unknown>> = {},
): OperatorEntry {
  return { action, clientId: id, organizationId, details };
}

async function changeAsOperator(context: Context, id: string, body: Changes) {
  return context.transaction(async (inside) => {
    if (body.limits === null) await liftLimits(inside, id);
    return limitClient(inside, id, changesOf(body));
  });
}

/** The limits that an operator has set for the client. */
function limitsBody({ name, allowedGrants, scopes: most, redirectUris, requiresPkce }: ClientLimits) {
  return {
    name: name ?? null,
    grant_types: allowedGrants ?? null,
    scopes: most ?? null,
    redirect_uris: redirectUris ?? null,
    require_pkce: requiresPkce ?? null,
  };
}

function descriptionOf(body: NewClient, { usual }: KnownScopes) {
  const { organization_id, name, kind, redirect_uris = [], audiences = [] } = body;
  return {
    organizationId: organization_id,
    name,
    kind,
    allowedGrants: body.grant_types ?? usualGrants(kind, redirect_uris),
    scopes: body.scopes ?? (kind === 'resource_server' ? [] : usual),
    redirectUris: redirect_uris,
    audiences,
    requiresPkce: body.require_pkce ?? true,
    idTokenAlgorithm: body.id_token_signed_response_alg ?? USUAL_ALGORITHM,
  };
}

function changesOf(body: Changes) {
  const { name, grant_types, scopes, redirect_uris, audiences, require_pkce } = body;
  const { id_token_signed_response_alg: idTokenAlgorithm } = body;
  return {
    ...(name === undefined ? {} : { name }),
    ...(grant_types === undefined ? {} : { allowedGrants: grant_types }),
    ...(scopes === undefined ? {} : { scopes }),
    ...(redirect_uris === undefined ? {} : { redirectUris: redirect_uris }),
    ...(audiences === undefined ? {} : { audiences }),
    ...(require_pkce === undefined ? {} : { requiresPkce: require_pkce }),
    ...(idTokenAlgorithm === undefined ? {} : { idTokenAlgorithm }),
  };
}

async function shownBody(context: Context, client: OAuthClient): Promise<Wire<typeof Client>> {
  return clientBody(client, await namesOf(context, [client.organizationId]));
}

function clientBody(client: OAuthClient, nameOf: NameOf): Wire<typeof Client> {
  return {
    id: client.id,
    organization_id: client.organizationId,
    organization_name: nameOf(client.organizationId),
    name: client.name,
    kind: client.kind,
    grant_types: client.allowedGrants,
    scopes: client.scopes,
    redirect_uris: client.redirectUris,
    audiences: client.audiences,
    require_pkce: client.requiresPkce,
    id_token_signed_response_alg: client.idTokenAlgorithm,
    disabled_at: client.disabledAt?.toISOString() ?? null,
    created_at: client.createdAt.toISOString(),
  };
}

function failureBody(failed: FailedRequest | undefined) {
  if (!failed) return null;
  const { at, operation, status, code } = failed;
  return { at: at.toISOString(), operation, status, code };
}

function secretBody(secret: ClientSecret): Wire<typeof LiveSecret> {
  return {
    id: secret.id,
    created_at: secret.createdAt.toISOString(),
    last_used_at: secret.lastUsedAt?.toISOString() ?? null,
  };
}
