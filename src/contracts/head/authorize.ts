import { Type } from 'typebox';
import { form, operations, page, query } from './operation-parts.ts';

const Text = Type.String();
const maybe = Type.Optional(Text);

const parameters = {
  response_type: Type.Literal('code'),
  client_id: Text,
  redirect_uri: maybe,
  scope: maybe,
  state: maybe,
  // Required, unless the client was registered without PKCE.
  code_challenge: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' })),
  code_challenge_method: Type.Optional(Type.Literal('S256')),
  nonce: maybe,
  resource: maybe,
  prompt: maybe,
  max_age: Type.Optional(Type.Integer({ minimum: 0 })),
  login_hint: maybe,
  id_token_hint: maybe,
};

const shared = {
  path: '/v1/oauth2/authorize',
  groups: ['oauth2', 'public'],
  security: { scheme: 'none' },
  errorShape: { name: 'page', ...page },
} as const;

/**
 * Where clients send browsers. A person is shown pages and then sent back. Errors are sent in the redirect, unless the
 * client or its redirect URI is in doubt (RFC 6749 §4.1.2.1).
 */
export const authorizeOperations = operations({
  'oauth2:authorize': {
    ...shared,
    method: 'GET',
    summary: 'Ask a person for permission',
    query: query(parameters),
    body: null,
    responses: { 200: page, 302: null },
    errors: { 400: ['invalid_request'], 500: ['internal_error'], 503: ['storage_unavailable', 'timeout'] },
  },
  // OpenID Connect Core §3.1.2.1 asks for both methods. The answer is the address of the same request by GET.
  'oauth2:post_authorize': {
    ...shared,
    method: 'POST',
    summary: 'Ask a person for permission, by POST',
    query: null,
    body: form(Type.Object(parameters)),
    responses: { 303: null },
    errors: {
      400: ['invalid_request'],
      413: ['payload_too_large'],
      415: ['unsupported_media_type'],
    },
  },
});
