import { Type } from 'typebox';
import type { Environment } from '../../environments/environment.ts';
import type { KnownScopes } from '../../environments/known-scopes.ts';
import {
  createRegistrationToken,
  listRegistrationTokens,
  revokeRegistrationToken,
} from '../../oauth/clients/registration/registration-tokens.ts';
import { grantTypes, type RegistrationToken } from '../../oauth/types.ts';
import type { App } from '../app/create-app.ts';
import { pageBody, pageRequest } from '../app/paging.ts';
import { audited } from './acting-operator.ts';
import { describe, object, optional, orNull, pageOf, pageQuery, Text, Time } from './fields.ts';
import { operationsOf } from './operation.ts';

const params = { id: 'The id of the registration token.' };

const newRegistrationTokenWith = ({ all }: KnownScopes) =>
  object({
    scopes: optional(
      Type.Array(Type.Enum(all), { minItems: 1, maxItems: 50 }),
      'What tokens of the registered client may be allowed to do at most; if left out, everything that is usual.',
    ),
    grant_types: optional(
      Type.Array(Type.Enum(grantTypes), { minItems: 1, maxItems: 10 }),
      'How the registered client may get tokens at most; if left out, in every way.',
    ),
  });

const tokenFields = {
  id: describe(Text, 'Begins with rgt_.'),
  scopes: describe(Type.Array(Text), 'What tokens of the registered client may be allowed to do at most.'),
  grant_types: describe(Type.Array(Text), 'How the registered client may get tokens at most.'),
  created_at: describe(Time, 'When it was made.'),
  expires_at: describe(Time, 'Until when a client can register with it.'),
  used_at: describe(orNull(Time), 'When a client registered with it; null if none did.'),
};
const Token = object(tokenFields);
const CreatedToken = object({
  ...tokenFields,
  registration_token: describe(Text, 'The token itself. It is shown only in this answer.'),
});

/** Each lets one client register itself in production, within a day. */
export function registrationTokenRoutes(app: App, environment: Environment): void {
  const operation = operationsOf(app, 'Registration tokens');

  operation(
    'GET /operator/registration-tokens',
    {
      id: 'list_registration_tokens',
      needs: 'viewer',
      summary: 'List registration tokens',
      query: pageQuery,
      answer: { description: 'A page of registration tokens, oldest first.', body: pageOf(Token) },
    },
    async (request) => pageBody(await listRegistrationTokens(environment, pageRequest(request)), tokenBody),
  );

  operation(
    'POST /operator/registration-tokens',
    {
      id: 'create_registration_token',
      needs: 'admin',
      summary: 'Let one client register itself',
      description: 'The client sends it as the bearer token of its registration, once and within a day.',
      body: newRegistrationTokenWith(environment.scopes),
      answer: { status: 201, description: 'The new token.', body: CreatedToken },
    },
    async (request) => {
      const { scopes: named = environment.scopes.usual, grant_types: allowedGrants = grantTypes } =
        request.body;
      const { registrationToken, tokenValue } = await audited(environment, request, {
        act: (context) => createRegistrationToken(context, { scopes: named, allowedGrants }),
        entry: ({ registrationToken: { id } }) => ({
          action: 'registration_token.created',
          details: { registration_token_id: id, scopes: named, grant_types: allowedGrants },
        }),
      });
      return { ...tokenBody(registrationToken), registration_token: tokenValue };
    },
  );

  operation(
    'DELETE /operator/registration-tokens/:id',
    {
      id: 'revoke_registration_token',
      needs: 'admin',
      summary: 'Revoke a registration token',
      params,
      answer: { status: 204, description: 'No client can register with it any more.' },
    },
    async (request) => {
      await audited(environment, request, {
        act: (context) => revokeRegistrationToken(context, request.params.id),
        entry: (id) => ({ action: 'registration_token.revoked', details: { registration_token_id: id } }),
      });
    },
  );
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
