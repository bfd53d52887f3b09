import type { ErrorShape, Operation } from '@dateline/versions';
import { Type } from 'typebox';
import { closed } from './fields.ts';
import { form, internal, json, operations, plain } from './operation-parts.ts';

const TokenKind = Type.Union([Type.Literal('access_token'), Type.Literal('refresh_token')]);

/** Left out where the client sends HTTP Basic; a public client has no secret. */
const ClientFields = {
  client_id: Type.Optional(Type.String({ minLength: 1 })),
  client_secret: Type.Optional(Type.String({ minLength: 1 })),
};

/** Older versions take form fields only, and ignore the Authorization header beside them. */
const command = internal({ ignoresAuthorization: Type.Optional(Type.Boolean()) });

/** Text of any length that is no token is unknown, not invalid; only the size of the body is limited. */
const Token = Type.String({ minLength: 1 });

/** Fields that are not known here are ignored (RFC 6749 §3.2). */
const RevokeForm = Type.Object({
  token: Token,
  token_type_hint: Type.Optional(
    Type.Unsafe<string | null>({ enum: ['access_token', 'refresh_token', null], default: null }),
  ),
  ...ClientFields,
});

const IntrospectForm = Type.Object({ token: Token, ...ClientFields });

const ActiveToken = Type.Object(
  {
    active: Type.Literal(true),
    client_id: Type.String(),
    token_type: TokenKind,
    scope: Type.String(),
    sub_type: Type.Union([Type.Literal('user'), Type.Literal('organization')]),
    sub: Type.String(),
    organizations: Type.Array(Type.String()),
    aud: Type.String(),
    iss: Type.String(),
    exp: Type.Integer(),
    iat: Type.Integer(),
  },
  closed,
);

/** The same for every reason, so that the answer does not reveal which one it is (RFC 7662 §2.2). */
const InactiveToken = Type.Object({ active: Type.Literal(false) }, closed);
export const Introspection = Type.Union([ActiveToken, InactiveToken]);

/** RFC 6749 §5.2, in every version. */
export const oauthErrors: ErrorShape = {
  name: 'oauth',
  mediaType: 'application/json',
  schema: plain(Type.Object({ error: Type.String(), error_description: Type.String() }, closed)),
};

/** The errors that any operation with client authentication may answer with. */
export const clientErrors: Operation['errors'] = {
  400: ['invalid_request'],
  401: ['invalid_client'],
  413: ['invalid_request'],
  415: ['invalid_request'],
  429: ['too_many_requests'],
  500: ['server_error'],
  503: ['temporarily_unavailable'],
};

/** Which of them are needed depends on the grant type; the server checks it. */
const TokenForm = Type.Object({
  grant_type: Type.String({ minLength: 1 }),
  client_id: Type.Optional(Type.String()),
  client_secret: Type.Optional(Type.String()),
  scope: Type.Optional(Type.String()),
  resource: Type.Optional(Type.String()),
  code: Type.Optional(Type.String()),
  redirect_uri: Type.Optional(Type.String()),
  code_verifier: Type.Optional(Type.String()),
  refresh_token: Type.Optional(Type.String()),
});

/** A JWT, as its header and its claims (OpenID Connect Core §2); `name` comes with the scope profile, the address with email. */
const IdToken = Type.String({
  contentMediaType: 'application/jwt',
  contentSchema: {
    type: 'array',
    items: { type: 'object' },
    prefixItems: [
      { type: 'object', properties: { alg: { type: 'string', enum: ['ES256', 'RS256'] } } },
      {
        type: 'object',
        required: ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'at_hash'],
        properties: {
          iss: { type: 'string' },
          sub: { type: 'string' },
          aud: { type: 'string' },
          exp: { type: 'integer' },
          iat: { type: 'integer' },
          auth_time: { type: 'integer' },
          nonce: { type: 'string' },
          at_hash: { type: 'string' },
          name: { type: 'string' },
          preferred_username: { type: 'string' },
          email: { type: 'string' },
          email_verified: { type: 'boolean' },
        },
      },
    ],
  },
});

const IssuedTokens = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer(),
    scope: Type.String(),
    refresh_token: Type.Optional(Type.String()),
    id_token: Type.Optional(IdToken),
  },
  closed,
);

export const oauthOperations = operations({
  'oauth2:create_token': {
    method: 'POST',
    path: '/v1/oauth2/token',
    summary: 'Get tokens',
    groups: ['oauth2', 'public'],
    security: { scheme: 'none' },
    query: null,
    body: form(TokenForm),
    // Older versions leave name and email to userinfo.
    command: internal({ bareIdToken: Type.Optional(Type.Boolean()) }),
    responses: { 200: json(IssuedTokens) },
    errorShape: oauthErrors,
    errors: {
      ...clientErrors,
      400: [
        'invalid_request',
        'invalid_grant',
        'unauthorized_client',
        'unsupported_grant_type',
        'invalid_scope',
        'invalid_target',
      ],
    },
  },
  'oauth2:revoke_token': {
    method: 'POST',
    path: '/v1/oauth2/revoke',
    summary: 'Revoke a token',
    groups: ['oauth2', 'public'],
    security: { scheme: 'none' },
    clientAuthentication: ['client_secret_basic', 'client_secret_post', 'none'],
    query: null,
    body: form(RevokeForm),
    command,
    responses: { 200: json(Type.Object({}, closed)) },
    errorShape: oauthErrors,
    errors: { ...clientErrors, 400: ['invalid_request', 'invalid_grant'] },
  },
  'oauth2:introspect_token': {
    method: 'POST',
    path: '/v1/oauth2/introspect',
    summary: 'Introspect a token',
    groups: ['OpenID Connect'],
    security: { scheme: 'none' },
    clientAuthentication: ['client_secret_basic', 'client_secret_post'],
    query: null,
    body: form(IntrospectForm),
    command,
    responses: { 200: json(Introspection) },
    errorShape: oauthErrors,
    errors: clientErrors,
  },
});
