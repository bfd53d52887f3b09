import { Type } from 'typebox';
import { closed, nameText } from './fields.ts';
import { oauthErrors } from './oauth.ts';
import { internal, json, operations } from './operation-parts.ts';

const oneOf = <const Values extends readonly string[]>(...values: Values) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: values });

/** The scopes that this version knows. */
const SCOPES = [
  'openid',
  'profile',
  'email',
  'products:read',
  'products:write',
  'webhooks:read',
  'webhooks:write',
  'organizations:read',
  'grants:manage',
  'offline_access',
];

const fields = {
  redirect_uris: Type.Array(Type.String({ minLength: 1, maxLength: 2_000 }), { maxItems: 20 }),
  token_endpoint_auth_method: oneOf('client_secret_basic', 'client_secret_post', 'none'),
  grant_types: Type.Array(oneOf('authorization_code', 'refresh_token', 'client_credentials'), {
    minItems: 1,
    maxItems: 3,
  }),
  response_types: Type.Array(oneOf('code'), { maxItems: 1 }),
  client_name: nameText(1, 200),
  scope: Type.String({ maxLength: 1_000, 'x-scopes': SCOPES }),
  require_pkce: Type.Boolean(),
  /** OpenID Connect Dynamic Client Registration §2. */
  id_token_signed_response_alg: oneOf('ES256', 'RS256'),
};

/** Unknown members are ignored (RFC 7591 §2). */
const Metadata = Type.Partial(Type.Object(fields));

/** RFC 7592 §2.2: a client names itself, and may name its secret, neither of which it can choose. */
const ReplacedMetadata = Type.Object({
  ...Metadata.properties,
  client_id: Type.String(),
  client_secret: Type.Optional(Type.String()),
});

const registered = {
  client_id: Type.String(),
  client_id_issued_at: Type.Integer(),
  client_secret_expires_at: Type.Optional(Type.Integer()),
  registration_access_token: Type.String(),
  registration_client_uri: Type.String(),
  redirect_uris: Type.Array(Type.String()),
  token_endpoint_auth_method: Type.String(),
  grant_types: Type.Array(Type.String()),
  response_types: Type.Array(Type.String()),
  client_name: Type.String(),
  scope: Type.String(),
  require_pkce: Type.Boolean(),
  id_token_signed_response_alg: Type.String(),
};

/** RFC 7592 §3. The secret is shown at the registration alone. */
const ClientInformation = Type.Object(registered, closed);
const RegisteredClient = Type.Object({ ...registered, client_secret: Type.Optional(Type.String()) }, closed);

const always = { 401: ['invalid_token'], 500: ['server_error'], 503: ['temporarily_unavailable'] };
const metadataErrors = {
  400: ['invalid_request', 'invalid_client_metadata', 'invalid_redirect_uri'],
  413: ['invalid_request'],
  415: ['invalid_request'],
};
/** Of what has an id in its address, which may be unreadable or too long. */
const clientErrors = { ...always, 400: ['invalid_request'], 414: ['invalid_request'] };

const groups = ['oauth2', 'public'];

/**
 * Older versions know fewer scopes, let operators register clients with their own key, and cannot say whether PKCE is
 * required nor how id_tokens are signed.
 */
const command = internal({
  knownScopes: Type.Optional(Type.Array(Type.String())),
  keepsIdTokenAlgorithm: Type.Optional(Type.Boolean()),
  takesOperatorKeys: Type.Optional(Type.Boolean()),
  keepsPkce: Type.Optional(Type.Boolean()),
});

const own = {
  method: 'GET',
  path: '/v1/oauth2/register/{client_id}',
  groups,
  security: { scheme: 'secret', name: 'registration_access_token' },
  query: null,
  body: null,
  responses: { 200: json(ClientInformation) },
  errorShape: oauthErrors,
  errors: clientErrors,
} as const;

/** Clients that register and look after themselves (RFC 7591, 7592). */
export const registrationOperations = operations({
  'oauth2:register_client': {
    method: 'POST',
    path: '/v1/oauth2/register',
    summary: 'Register a client',
    groups,
    // Open in the sandbox. In production the initial access token is a registration token.
    security: { scheme: 'none' },
    query: null,
    body: json(Metadata),
    command,
    responses: { 201: json(RegisteredClient) },
    errorShape: oauthErrors,
    errors: { ...always, ...metadataErrors, 403: ['insufficient_scope'], 429: ['too_many_requests'] },
  },
  'oauth2:read_client': { ...own, summary: 'Read what is registered of a client' },
  'oauth2:replace_client': {
    ...own,
    method: 'PUT',
    summary: 'Replace what is registered of a client',
    body: json(ReplacedMetadata),
    command,
    errors: { ...clientErrors, ...metadataErrors },
  },
  'oauth2:delete_client': {
    ...own,
    method: 'DELETE',
    summary: 'Delete a client and all its tokens',
    responses: { 204: null },
    errors: { ...clientErrors, 413: ['invalid_request'], 415: ['invalid_request'] },
  },
});
