import { Type } from 'typebox';
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
import type { ClientLimits } from '../../oauth/clients/clients/client-terms.ts';
import { usualGrants } from '../../oauth/clients/clients/client-terms.ts';
import { revokeSecret, rotateSecret } from '../../oauth/clients/clients/rotate-secret.ts';
import { deleteClient } from '../../oauth/clients/registration/delete-client.ts';
import {
  type ClientSecret,
  grantTypes,
  type OAuthClient,
  signingAlgorithms,
  USUAL_ALGORITHM,
} from '../../oauth/types.ts';
import type { App } from '../app/create-app.ts';
import { pageBody, searchRequest } from '../app/paging.ts';
import { audited, type OperatorEntry } from './acting-operator.ts';
import {
  AnyId,
  closed,
  describe,
  Name,
  object,
  oneOf,
  orNull,
  pageOf,
  searchQuery,
  Text,
  Time,
} from './fields.ts';
import { operationsOf } from './operation.ts';

const Algorithm = oneOf(signingAlgorithms);
const Kind = oneOf(['confidential', 'public', 'resource_server']);
const KIND =
  'confidential: keeps a secret; public: cannot; resource_server: introspects the tokens it receives.';

const termsWith = ({ all }: KnownScopes) => ({
  grant_types: Type.Optional(
    describe(
      Type.Array(Type.Enum(grantTypes), { maxItems: 10 }),
      'How it may get tokens; if left out, what is usual for its kind.',
    ),
  ),
  scopes: Type.Optional(
    describe(
      Type.Array(Type.Enum(all), { maxItems: 50 }),
      'What its tokens may be allowed to do; if left out, everything, and nothing for a resource server.',
    ),
  ),
  redirect_uris: Type.Optional(
    describe(
      Type.Array(Type.String({ minLength: 1, maxLength: 2_000 }), { maxItems: 20 }),
      'Where people may be sent back to; compared character by character.',
    ),
  ),
  audiences: Type.Optional(
    describe(
      Type.Array(Type.String({ minLength: 1, maxLength: 400 }), { maxItems: 20 }),
      'Of a resource server: the aud of the tokens that are meant for it.',
    ),
  ),
  require_pkce: Type.Optional(
    describe(Type.Boolean(), 'False lets a client with a secret get codes without PKCE; true if left out.'),
  ),
  id_token_signed_response_alg: Type.Optional(
    describe(Algorithm, 'The algorithm that signs its id_tokens; ES256 if left out.'),
  ),
});

const newClientWith = (known: KnownScopes) =>
  object({
    organization_id: describe(AnyId, 'The organization that it belongs to.'),
    name: describe(Name, 'The name that users see on the consent page.'),
    kind: describe(Kind, KIND),
    ...termsWith(known),
  });

const changesWith = (known: KnownScopes) =>
  Type.Object(
    {
      name: Type.Optional(describe(Name, 'The name that users see on the consent page.')),
      ...termsWith(known),
      limits: Type.Optional(
        describe(
          Type.Null(),
          'Null lifts what was set before: the client may change all of its registration again.',
        ),
      ),
    },
    { ...closed, minProperties: 1 },
  );

type NewClient = Type.Static<ReturnType<typeof newClientWith>>;
type Changes = Type.Static<ReturnType<typeof changesWith>>;

const clientFields = {
  id: describe(Text, 'Begins with cli_.'),
  organization_id: describe(Text, 'The organization that it belongs to.'),
  name: describe(Text, 'The name that users see on the consent page.'),
  kind: describe(Kind, KIND),
  grant_types: describe(Type.Array(Text), 'How it may get tokens.'),
  scopes: describe(Type.Array(Text), 'What its tokens may be allowed to do.'),
  redirect_uris: describe(Type.Array(Text), 'Where people may be sent back to.'),
  audiences: describe(Type.Array(Text), 'Of a resource server: the aud of the tokens that are meant for it.'),
  require_pkce: describe(Type.Boolean(), 'Whether it must use PKCE to get a code.'),
  id_token_signed_response_alg: describe(Algorithm, 'The algorithm that signs its id_tokens.'),
  disabled_at: describe(orNull(Time), 'Since when it is disabled; null if it is not.'),
  created_at: describe(Time, 'When it was created.'),
};
const secretFields = {
  secret_id: describe(Text, 'The id of the new secret; begins with sec_.'),
  client_secret: describe(Text, 'The secret itself. It is shown only in this answer.'),
};
const LiveSecret = object({
  id: describe(Text, 'Begins with sec_.'),
  created_at: describe(Time, 'When it was made.'),
  last_used_at: describe(orNull(Time), 'When it was last used, to the minute; null if it never was.'),
});

const Client = object(clientFields);
const CreatedClient = object({
  ...clientFields,
  secret_id: Type.Optional(secretFields.secret_id),
  client_secret: Type.Optional(secretFields.client_secret),
});
const Limits = object({
  name: describe(orNull(Text), 'The name that it has to keep; null if it may choose one.'),
  grant_types: describe(orNull(Type.Array(Text)), 'How it may get tokens at most; null for no limit.'),
  scopes: describe(
    orNull(Type.Array(Text)),
    'What its tokens may be allowed to do at most; null for no limit.',
  ),
  redirect_uris: describe(
    orNull(Type.Array(Text)),
    'Where people may be sent back to at most; null for no limit.',
  ),
  require_pkce: describe(
    orNull(Type.Boolean()),
    'True if PKCE has to stay required; false or null if the client may choose.',
  ),
});
const ClientWithSecrets = object({
  ...clientFields,
  limits: describe(Limits, 'What an operator has set, and its own registration cannot exceed.'),
  secrets: describe(Type.Array(LiveSecret), 'Its live secrets, by id: never their values.'),
});
const RotatedSecret = object({
  client_id: describe(Text, 'The client.'),
  ...secretFields,
  revoked_secret_ids: describe(Type.Array(Text), 'Older secrets that this revoked: at most two are live.'),
});
const RevokedSecret = object({
  client_id: describe(Text, 'The client.'),
  secret_id: describe(Text, 'The secret that was revoked.'),
  revoked: describe(Type.Literal(true), 'It is revoked.'),
});

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
        organization_id: Type.Optional(describe(AnyId, 'Only the clients of this organization.')),
        ...searchQuery,
      },
      answer: { status: 200, description: 'A page of clients, oldest first.', body: pageOf(Client) },
      errors: ['not_found'],
    },
    async (request) => {
      const page = await listClients(environment, request.query.organization_id, searchRequest(request));
      return pageBody(page, clientBody);
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
      return { ...clientBody(client), ...shown };
    },
  );

  operation(
    'GET /operator/clients/:id',
    {
      id: 'read_client',
      needs: 'viewer',
      summary: 'Show a client and when its secrets were used',
      params,
      answer: { status: 200, description: 'The client.', body: ClientWithSecrets },
      errors: ['not_found'],
    },
    async (request) => {
      const { client, limits, secrets } = await readClient(environment, request.params.id);
      return { ...clientBody(client), limits: limitsBody(limits), secrets: secrets.map(secretBody) };
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
      answer: { status: 200, description: 'The changed client.', body: Client },
      errors: ['not_found', 'conflict'],
    },
    async (request) => {
      const { client } = await audited(environment, request, {
        act: (context) => changeAsOperator(context, request.params.id, request.body),
        entry: ({ client: changed, before, after }) =>
          clientEntry('client.updated', changed, { changed: Object.keys(request.body), before, after }),
      });
      return clientBody(client);
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
      errors: ['not_found'],
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
      needs: 'admin',
      summary: 'Refuse a client and all its tokens until it is enabled again',
      params,
      answer: { status: 200, description: 'The disabled client.', body: Client },
      errors: ['not_found'],
    },
    async (request) =>
      clientBody(
        await audited(environment, request, {
          act: (context) => disableClient(context, request.params.id),
          entry: (client) => clientEntry('client.disabled', client),
        }),
      ),
  );

  operation(
    'POST /operator/clients/:id/enable',
    {
      id: 'enable_client',
      needs: 'admin',
      summary: 'Enable a client again',
      description: 'Tokens that have not expired work as before.',
      params,
      answer: { status: 200, description: 'The client.', body: Client },
      errors: ['not_found'],
    },
    async (request) =>
      clientBody(
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
      answer: {
        status: 200,
        description: 'The new secret; this is the only answer that shows it.',
        body: RotatedSecret,
      },
      errors: ['not_found', 'conflict'],
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
      answer: { status: 200, description: 'The secret is revoked.', body: RevokedSecret },
      errors: ['not_found'],
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

function clientBody(client: OAuthClient): Wire<typeof Client> {
  return {
    id: client.id,
    organization_id: client.organizationId,
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

function secretBody(secret: ClientSecret): Wire<typeof LiveSecret> {
  return {
    id: secret.id,
    created_at: secret.createdAt.toISOString(),
    last_used_at: secret.lastUsedAt?.toISOString() ?? null,
  };
}
