import { Type } from 'typebox';
import type { Environment } from '../../environments/environment.ts';
import {
  createRegistrationToken,
  listRegistrationTokens,
  revokeRegistrationToken,
} from '../../oauth/clients/registration-tokens.ts';
import { knownScopes, scopes } from '../../oauth/scopes/scopes.ts';
import { grantTypes, type RegistrationToken } from '../../oauth/types.ts';
import type { App } from '../app/create-app.ts';
import { pageBody, pageRequest } from '../app/paging.ts';
import { audited } from './acting-operator.ts';

/** The most that the registered client may have. */
const NewRegistrationToken = Type.Object(
  {
    scopes: Type.Optional(Type.Array(Type.Enum(knownScopes), { minItems: 1, maxItems: 50 })),
    grant_types: Type.Optional(Type.Array(Type.Enum(grantTypes), { minItems: 1, maxItems: 10 })),
  },
  { additionalProperties: false },
);

/** Each lets one client register itself in production, within a day. */
export function registrationTokenRoutes(app: App, environment: Environment): void {
  app.get('/operator/registration-tokens', async (request) =>
    pageBody(await listRegistrationTokens(environment, pageRequest(request)), tokenBody),
  );

  app.post<{ Body: Type.Static<typeof NewRegistrationToken> }>(
    '/operator/registration-tokens',
    { schema: { body: NewRegistrationToken } },
    async (request, reply) => {
      const { scopes: named = scopes, grant_types: allowedGrants = grantTypes } = request.body;
      const { registrationToken, tokenValue } = await audited(environment, request, {
        act: (scene) => createRegistrationToken(scene, { scopes: named, allowedGrants }),
        entry: ({ registrationToken: { id } }) => ({
          action: 'registration_token.created',
          details: { registration_token_id: id, scopes: named, grant_types: allowedGrants },
        }),
      });
      return reply.status(201).send({ ...tokenBody(registrationToken), registration_token: tokenValue });
    },
  );

  app.delete<{ Params: { id: string } }>('/operator/registration-tokens/:id', async (request, reply) => {
    await audited(environment, request, {
      act: (scene) => revokeRegistrationToken(scene, request.params.id),
      entry: (id) => ({ action: 'registration_token.revoked', details: { registration_token_id: id } }),
    });
    return reply.status(204).send();
  });
}

function tokenBody(token: RegistrationToken) {
  return {
    id: token.id,
    scopes: token.scopes,
    grant_types: token.allowedGrants,
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt.toISOString(),
    used_at: token.usedAt?.toISOString() ?? null,
  };
}
