import { Type } from 'typebox';
import type { Environment, Scene } from '../../environments/environment.ts';
import {
  deleteClient,
  disableClient,
  enableClient,
  liftLimits,
  limitClient,
  listClients,
  readClient,
  setUpClient,
} from '../../oauth/clients/administer-clients.ts';
import type { ClientLimits } from '../../oauth/clients/client-limits.ts';
import { revokeSecret, rotateSecret } from '../../oauth/clients/client-secrets.ts';
import { usualGrants } from '../../oauth/clients/client-terms.ts';
import { knownScopes, scopes } from '../../oauth/scopes/scopes.ts';
import { type ClientSecret, grantTypes, type OAuthClient } from '../../oauth/types.ts';
import type { App } from '../app/create-app.ts';
import { pageBody, pageRequest } from '../app/paging.ts';
import { audited, type OperatorEntry } from './acting-operator.ts';
import { AnyId, Name } from './fields.ts';

const Terms = Type.Partial(
  Type.Object({
    grant_types: Type.Array(Type.Enum(grantTypes), { maxItems: 10 }),
    scopes: Type.Array(Type.Enum(knownScopes), { maxItems: 50 }),
    redirect_uris: Type.Array(Type.String({ minLength: 1, maxLength: 2_000 }), { maxItems: 20 }),
    audiences: Type.Array(Type.String({ minLength: 1, maxLength: 400 }), { maxItems: 20 }),
  }),
);

const NewClient = Type.Object(
  {
    organization_id: AnyId,
    name: Name,
    kind: Type.Enum(['confidential', 'public', 'resource_server']),
    ...Terms.properties,
  },
  { additionalProperties: false },
);

const Changes = Type.Object(
  // Null lifts what was set before: the client may change all of its registration again.
  { name: Type.Optional(Name), ...Terms.properties, limits: Type.Optional(Type.Null()) },
  { additionalProperties: false, minProperties: 1 },
);

const Filter = Type.Object({ organization_id: Type.Optional(AnyId) });

interface NamesClient {
  Params: { id: string };
}

/** OAuth clients and their secrets, for operators. */
export function clientRoutes(app: App, environment: Environment): void {
  app.get<{ Querystring: Type.Static<typeof Filter> }>(
    '/operator/clients',
    { schema: { querystring: Filter } },
    async (request) => {
      const page = await listClients(environment, request.query.organization_id, pageRequest(request));
      return pageBody(page, clientBody);
    },
  );

  app.post<{ Body: Type.Static<typeof NewClient> }>(
    '/operator/clients',
    { schema: { body: NewClient } },
    async (request, reply) => {
      const { client, secret } = await audited(environment, request, {
        act: (scene) => setUpClient(scene, descriptionOf(request.body)),
        entry: (created) => clientEntry('client.created', created.client),
      });
      const shown = secret ? { secret_id: secret.id, client_secret: secret.secretValue } : {};
      return reply.status(201).send({ ...clientBody(client), ...shown });
    },
  );

  app.get<NamesClient>('/operator/clients/:id', async (request) => {
    const { client, limits, secrets } = await readClient(environment, request.params.id);
    return { ...clientBody(client), limits: limitsBody(limits), secrets: secrets.map(secretBody) };
  });

  app.patch<NamesClient & { Body: Type.Static<typeof Changes> }>(
    '/operator/clients/:id',
    { schema: { body: Changes } },
    async (request) => {
      const { client } = await audited(environment, request, {
        act: (scene) => changeAsOperator(scene, request.params.id, request.body),
        entry: ({ client: changed, before, after }) =>
          clientEntry('client.updated', changed, { changed: Object.keys(request.body), before, after }),
      });
      return clientBody(client);
    },
  );

  app.delete<NamesClient>('/operator/clients/:id', async (request, reply) => {
    await audited(environment, request, {
      act: (scene) => deleteClient(scene, request.params.id),
      entry: (client) => clientEntry('client.deleted', client),
    });
    return reply.status(204).send();
  });

  app.post<NamesClient>('/operator/clients/:id/disable', async (request) =>
    clientBody(
      await audited(environment, request, {
        act: (scene) => disableClient(scene, request.params.id),
        entry: (client) => clientEntry('client.disabled', client),
      }),
    ),
  );

  app.post<NamesClient>('/operator/clients/:id/enable', async (request) =>
    clientBody(
      await audited(environment, request, {
        act: (scene) => enableClient(scene, request.params.id),
        entry: (client) => clientEntry('client.enabled', client),
      }),
    ),
  );

  secretRoutes(app, environment);
}

function secretRoutes(app: App, environment: Environment): void {
  app.post<NamesClient>('/operator/clients/:id/rotate-secret', async (request) => {
    const { client, id, secretValue, revokedIds } = await audited(environment, request, {
      act: (scene) => rotateSecret(scene, request.params.id),
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
  });

  app.post<{ Params: { id: string; secret_id: string } }>(
    '/operator/clients/:id/secrets/:secret_id/revoke',
    async (request) => {
      const { id, secret_id } = request.params;
      await audited(environment, request, {
        act: (scene) => revokeSecret(scene, id, secret_id),
        entry: (client) => clientEntry('client.secret_revoked', client, { secret_id }),
      });
      return { client_id: id, secret_id, revoked: true };
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

async function changeAsOperator(scene: Scene, id: string, body: Type.Static<typeof Changes>) {
  return scene.transaction(async (inside) => {
    if (body.limits === null) await liftLimits(inside, id);
    return limitClient(inside, id, changesOf(body));
  });
}

/** What an operator has set, and the client cannot exceed. */
function limitsBody({ name, allowedGrants, scopes: most, redirectUris }: ClientLimits) {
  return {
    name: name ?? null,
    grant_types: allowedGrants ?? null,
    scopes: most ?? null,
    redirect_uris: redirectUris ?? null,
  };
}

function descriptionOf(body: Type.Static<typeof NewClient>) {
  const { organization_id, name, kind, redirect_uris = [], audiences = [] } = body;
  return {
    organizationId: organization_id,
    name,
    kind,
    allowedGrants: body.grant_types ?? usualGrants(kind, redirect_uris),
    scopes: body.scopes ?? (kind === 'resource_server' ? [] : scopes),
    redirectUris: redirect_uris,
    audiences,
  };
}

function changesOf({ name, grant_types, scopes, redirect_uris, audiences }: Type.Static<typeof Changes>) {
  return {
    ...(name === undefined ? {} : { name }),
    ...(grant_types === undefined ? {} : { allowedGrants: grant_types }),
    ...(scopes === undefined ? {} : { scopes }),
    ...(redirect_uris === undefined ? {} : { redirectUris: redirect_uris }),
    ...(audiences === undefined ? {} : { audiences }),
  };
}

function clientBody(client: OAuthClient) {
  return {
    id: client.id,
    organization_id: client.organizationId,
    name: client.name,
    kind: client.kind,
    grant_types: client.allowedGrants,
    scopes: client.scopes,
    redirect_uris: client.redirectUris,
    audiences: client.audiences,
    disabled_at: client.disabledAt?.toISOString() ?? null,
    created_at: client.createdAt.toISOString(),
  };
}

function secretBody(secret: ClientSecret) {
  return {
    id: secret.id,
    created_at: secret.createdAt.toISOString(),
    last_used_at: secret.lastUsedAt?.toISOString() ?? null,
  };
}
