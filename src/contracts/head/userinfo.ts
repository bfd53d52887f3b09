import { Type } from 'typebox';
import { closed } from './fields.ts';
import { oauthErrors } from './oauth.ts';
import { bearer, json, operations } from './operation-parts.ts';

/** OpenID Connect Core §5.1: `name` comes with the scope profile, the address with email, `preferred_username` with both. */
const Userinfo = Type.Object(
  {
    sub: Type.String(),
    name: Type.Optional(Type.String()),
    preferred_username: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
    email_verified: Type.Optional(Type.Boolean()),
  },
  closed,
);

const userinfo = {
  path: '/v1/oauth2/userinfo',
  groups: ['OpenID Connect'],
  security: bearer('openid'),
  query: null,
  body: null,
  responses: { 200: json(Userinfo) },
  errorShape: oauthErrors,
  // RFC 6750 §3.1
  errors: {
    401: ['invalid_token'],
    403: ['insufficient_scope'],
    500: ['server_error'],
    503: ['temporarily_unavailable'],
  },
} as const;

/** OpenID Connect asks for both methods (Core §5.3). */
export const userinfoOperations = operations({
  'oauth2:read_userinfo': { ...userinfo, method: 'GET', summary: 'Read who has signed in' },
  'oauth2:post_userinfo': {
    ...userinfo,
    method: 'POST',
    summary: 'Read who has signed in, by POST',
    // A body that is sent all the same may be refused.
    errors: {
      ...userinfo.errors,
      400: ['invalid_request'],
      413: ['invalid_request'],
      415: ['invalid_request'],
    },
  },
});
