import { Type } from 'typebox';
import { operations, page, query } from './operation-parts.ts';

const Text = Type.String();
const maybe = Type.Optional(Text);

/**
 * Where clients send browsers, the same in every version. A person is shown pages and then sent back. Errors
 * are sent in the redirect, unless the client or its redirect URI is in doubt (RFC 6749 §4.1.2.1).
 */
export const authorizeOperations = operations({
  'oauth2:authorize': {
    method: 'GET',
    path: '/v1/oauth2/authorize',
    summary: 'Ask a person for permission',
    groups: ['oauth2', 'public'],
    security: { scheme: 'none' },
    query: query({
      response_type: Type.Literal('code'),
      client_id: Text,
      redirect_uri: maybe,
      scope: maybe,
      state: maybe,
      code_challenge: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
      code_challenge_method: Type.Literal('S256'),
      nonce: maybe,
      resource: maybe,
      prompt: maybe,
      max_age: Type.Optional(Type.Integer({ minimum: 0 })),
      login_hint: maybe,
    }),
    body: null,
    responses: { 200: page, 302: null },
    errorShape: { name: 'page', ...page },
    errors: { 400: ['invalid_request'], 500: ['internal_error'], 503: ['storage_unavailable', 'timeout'] },
  },
});
