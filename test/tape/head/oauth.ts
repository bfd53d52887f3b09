import { asking, type Step, type StepParts } from '../step.ts';

const FORM = 'application/x-www-form-urlencoded';

const token = asking('oauth2:create_token', 'POST', '/v1/oauth2/token');
const revoke = asking('oauth2:revoke_token', 'POST', '/v1/oauth2/revoke');
const introspect = asking('oauth2:introspect_token', 'POST', '/v1/oauth2/introspect');

/** A form without a bearer token: the client's credentials are in its fields. */
function form(fields: Readonly<Record<string, string>>, more: StepParts = {}): StepParts {
  const text = Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  return { as: 'nobody', body: { type: FORM, text }, ...more };
}

const owner = { client_id: '{{owner.client}}', client_secret: '{{owner.secret}}' };
const stranger = { client_id: '{{stranger.client}}', client_secret: '{{stranger.secret}}' };
const publicClient = { client_id: '{{public.client}}' };
const inHeader = { headers: { authorization: 'Basic {{owner.basic}}' } };
const guesser = { client_id: 'cli_0000000000000000000000', client_secret: 'guess' };

const introspecting: readonly Step[] = [
  introspect('an access token', '200', form({ ...owner, token: '{{owner.access_token}}' })),
  introspect('a refresh token', '200', form({ ...owner, token: '{{owner.refresh_token}}' })),
  introspect('with a hint', '200', form({ ...owner, token: '{{owner.access_token}}', token_type_hint: 'x' })),
  introspect('another’s', '200', form({ ...stranger, token: '{{owner.access_token}}' })),
  introspect('what is no token', '200', form({ ...owner, token: 'x' })),
  introspect('nothing', '400 invalid_request', form(owner)),
  introspect('with a wrong secret', '401 invalid_client', form({ ...owner, client_secret: 'x', token: 'x' })),
  introspect('with the secret in the header', '200', form({ token: '{{owner.access_token}}' }, inHeader)),
  introspect('with the secret twice', '400 invalid_request', form({ ...owner, token: 'x' }, inHeader)),
  introspect('as a public client', '401 invalid_client', form({ ...publicClient, token: 'x' })),
];

const CLIENT = { ...owner, grant_type: 'client_credentials' };

const issuing: readonly Step[] = [
  token('for a client itself', '200', form(CLIENT)),
  token('for a client itself, with one scope', '200', form({ ...CLIENT, scope: 'products:read' })),
  token('with a scope that nobody knows', '400 invalid_scope', form({ ...CLIENT, scope: 'admin' })),
  token(
    'for a resource that nobody serves',
    '400 invalid_target',
    form({ ...CLIENT, resource: 'https://x.example' }),
  ),
  token('without a grant type', '400 invalid_request', form(owner)),
  token('by password', '400 unsupported_grant_type', form({ ...owner, grant_type: 'password' })),
  token(
    'for a public client itself',
    '400 unauthorized_client',
    form({ ...publicClient, grant_type: 'client_credentials' }),
  ),
  token(
    'by refreshing',
    '200',
    form(
      { ...owner, grant_type: 'refresh_token', refresh_token: '{{owner.spare_refresh_token}}' },
      { save: { successor: 'refresh_token' } },
    ),
  ),
  token(
    'by refreshing again, at once',
    '200',
    form({ ...owner, grant_type: 'refresh_token', refresh_token: '{{owner.spare_refresh_token}}' }),
  ),
  token(
    'by refreshing with another’s token',
    '400 invalid_grant',
    form({ ...stranger, grant_type: 'refresh_token', refresh_token: '{{successor}}' }),
  ),
];

const revoking: readonly Step[] = [
  revoke('an access token', '200', form({ ...owner, token: '{{owner.spare_access_token}}' })),
  introspect(
    'an access token that was revoked',
    '200',
    form({ ...owner, token: '{{owner.spare_access_token}}' }),
  ),
  revoke('another’s', '400 invalid_grant', form({ ...stranger, token: '{{successor}}' })),
  revoke(
    'a refresh token, with the other hint',
    '200',
    form({ ...owner, token: '{{successor}}', token_type_hint: 'access_token' }),
  ),
  introspect('a refresh token that was revoked', '200', form({ ...owner, token: '{{successor}}' })),
  revoke('what is no token', '200', form({ ...owner, token: 'x' })),
  revoke(
    'with a hint that is none',
    '400 invalid_request',
    form({ ...owner, token: 'x', token_type_hint: 'foo' }),
  ),
  revoke('with the secret in the header', '200', form({ token: 'x' }, inHeader)),
  revoke('as a public client', '200', form({ ...publicClient, token: 'x' })),
  revoke('with an empty hint', '200', form({ ...owner, token: 'x', token_type_hint: '' })),
];

/** Twenty a minute, over all endpoints; then every caller at this address waits that uses this client_id. */
const guessing: readonly Step[] = [
  ...Array.from({ length: 20 }, (_, index) =>
    introspect(`guess ${index + 1}`, '401 invalid_client', form({ ...guesser, token: 'x' })),
  ),
  introspect('one guess too many', '429 too_many_requests', form({ ...guesser, token: 'x' })),
  revoke('one guess too many', '429 too_many_requests', form({ ...guesser, token: 'x' })),
  token(
    'one guess too many',
    '429 too_many_requests',
    form({ ...guesser, grant_type: 'client_credentials' }),
  ),
];

export const oauthSteps: readonly Step[] = [...introspecting, ...issuing, ...revoking, ...guessing];
