import { describe, exampleId, type FieldProse, type Fields, type Subject } from './prose.ts';

const ACCESS_TOKEN = 'dl_test_at_example';
const REFRESH_TOKEN = 'dl_test_rt_example';
const REDIRECT_URI = 'http://127.0.0.1/callback';
const EMPTY = 'An empty object, whether or not there was something to do.';

const resource: FieldProse = describe(
  'Who the token is for (RFC 8707): the audience of a resource server, or the client itself, which it is where this is left out.',
  exampleId('cli'),
);

/** Parameters of an authorization request, in the query or in a form. */
const authorization: Fields = {
  response_type: describe('What comes back: a code.'),
  redirect_uri: describe(
    'Where to go back to; one that the client has registered. It may be left out if there is only one.',
    REDIRECT_URI,
  ),
  scope: describe(
    'The scopes to ask for, separated by spaces; all of the client’s where it is left out.',
    'openid webhooks:read',
  ),
  state: describe('Comes back as it was sent, so that the client knows its own request.', 'af0ifjsldkj'),
  code_challenge: describe(
    'The SHA-256 of code_verifier, in base64url (RFC 7636).',
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  ),
  code_challenge_method: describe('How code_challenge was made.'),
  nonce: describe('Comes back in the id_token, which is then known to be new.', 'n-0S6_WzA2Mj'),
  resource: resource,
  prompt: describe(
    'login, consent or select_account: what the person is asked in any case; none: no page at all, but an error where one is needed.',
    'login',
  ),
  max_age: describe('How many seconds ago the person may have signed in at most.', 3600),
  login_hint: describe('The email address that the person will probably sign in with.', 'demo@example.com'),
  id_token_hint: describe(
    'An id_token of the person that the client expects, also one that has expired. With prompt=none, anybody else is login_required.',
    'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c3JfMDAwMSJ9.A1B2C3',
  ),
};

const authorizationIn = (place: string): Fields =>
  Object.fromEntries(Object.entries(authorization).map(([name, prose]) => [`${place}.${name}`, prose]));

/** Tokens: how to get them, ask about them and end them (RFC 6749, 7009, 7662, OpenID Connect). */
export const tokenProse: Subject = {
  operations: {
    'oauth2:create_token': {
      description:
        'Gives out tokens for a grant: client_credentials for the client itself, authorization_code for a person who has allowed it, refresh_token for new tokens instead of old ones. The client authenticates with client_id and client_secret in the form or by HTTP Basic; a public client sends its client_id alone. A refresh token is good once: the answer brings its successor.',
      answers: { 200: 'The tokens. They are shown here and never again.' },
      sends: ['client_id', 'client_secret', 'scope'],
      fields: { 'answer.token_type': describe('How the access token is sent.') },
    },
    'oauth2:revoke_token': {
      description:
        'Ends a token at once (RFC 7009). An access token ends alone; a refresh token ends its whole grant, with all access tokens. A token that is unknown or has ended already is answered like one that was revoked. The client sends client_id and client_secret in the form; from 2027-01 on HTTP Basic is taken too, and a public client sends its client_id alone.',
      answers: { 200: EMPTY },
      sends: ['token_type_hint', 'client_id', 'client_secret'],
      fields: { 'request.token': describe('The access token or refresh token to revoke.', ACCESS_TOKEN) },
    },
    'oauth2:introspect_token': {
      description:
        'Tells whether a token is active, and what it allows (RFC 7662). Nothing is cached: a token that was revoked before the request is inactive. A token of another client is shown as inactive, unless the caller is the resource server that it is for. The client sends client_id and client_secret in the form; from 2027-01 on HTTP Basic is taken too.',
      answers: { 200: 'What the token is; {"active": false} whatever the reason is that it is not.' },
    },
    'oauth2:introspect_tokens': {
      description: 'The same as the introspection of one token, for up to 100 in one request.',
      answers: { 200: 'What the tokens are, in the order in which they were sent.' },
    },
    'oauth2:revoke_tokens': {
      description:
        'Ends grants of the client with all their tokens: those of a subject, of an organization or with tokens from before a time, and where several are named, what fits all of them. At least one must be named. Try it with dry_run first.',
      answers: { 200: 'How much was revoked, or would be.' },
      sends: ['client_id', 'client_secret', 'subject', 'dry_run'],
    },
    'oauth2:report_leak': {
      description:
        'For whoever finds a token, or another secret of this service, where it should not be: what was reported ends at once. No authentication is needed, and the answer does not tell whether it was one.',
      answers: { 200: EMPTY },
      fields: { 'request.token': describe('What was found.', ACCESS_TOKEN) },
    },
    'oauth2:authorize': {
      description:
        'Send a person’s browser here to be asked for permission (RFC 6749 §4.1, with PKCE). It is sent back to redirect_uri with a code for the token endpoint, or with an error. Browsers cannot send Service-Version, and need not: the page is the same in every version.',
      answers: {
        200: 'A page for the person: to sign in, or to allow what is asked for.',
        302: 'The browser is sent back to the client, with code or error, and with state and iss.',
      },
      shows: '<!doctype html><title>Sign in</title>',
      fields: authorizationIn('query'),
    },
    'oauth2:post_authorize': {
      description:
        'The same by a form that the browser posts; OpenID Connect asks for both. A request without a version is one of Current: until this version is, only GET is there for browsers.',
      answers: { 303: 'The browser goes on to the same request by GET.' },
      fields: authorizationIn('request'),
    },
    'oauth2:read_userinfo': {
      description:
        'Tells who the person is that the token acts for (OpenID Connect Core §5.3). Which claims there are depends on the scopes profile and email.',
      answers: { 200: 'The claims about the person.' },
    },
    'oauth2:post_userinfo': {
      description: 'The same as by GET. OpenID Connect asks for both.',
      answers: { 200: 'The claims about the person.' },
    },
  },
  events: {
    'token.revoked': 'Sent when an access token ends before its time, alone.',
    'grant.revoked': 'Sent once when a grant ends, however many tokens end with it.',
    'client.secret_rotated': 'Sent when a client gets a new secret.',
  },
  fields: {
    client_id: describe('The id of the client.', exampleId('cli')),
    client_secret: describe('The secret of the client.', 'dl_test_cs_example'),
    'request.grant_type': describe(
      'client_credentials, authorization_code or refresh_token.',
      'client_credentials',
    ),
    'request.scope': describe(
      'The scopes to ask for, separated by spaces; all of the client’s where it is left out.',
      'webhooks:read webhooks:write',
    ),
    'request.resource': resource,
    'request.code': describe(
      'The code that the browser came back with; good once, for 60 seconds.',
      'dl_test_ac_example',
    ),
    'request.redirect_uri': describe(
      'The same as at the authorization, where it was sent there.',
      REDIRECT_URI,
    ),
    'request.code_verifier': describe(
      'What code_challenge was made of (RFC 7636).',
      'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    ),
    'request.refresh_token': describe('The refresh token to use.', REFRESH_TOKEN),
    'answer.access_token': describe('What requests carry as bearer token.', ACCESS_TOKEN),
    'answer.expires_in': describe('How many seconds the access token lives.', 3600),
    'answer.refresh_token': describe(
      'What brings the next tokens; with the grant of a person only.',
      REFRESH_TOKEN,
    ),
    'answer.id_token': describe(
      'Who the person is, signed (OpenID Connect); with the scope openid.',
      'eyJhbGciOiJFUzI1NiJ9.e30.example',
    ),
    token_type: describe('Which of the two kinds it is.', 'access_token'),
    scope: describe('The scopes of the token, separated by spaces.', 'webhooks:read webhooks:write'),

    token: describe('The access token or refresh token.', ACCESS_TOKEN),
    token_type_hint: describe('Where to look first; it changes nothing else.', 'access_token'),
    active: describe('Whether the token can be used now.'),
    sub_type: describe('Whether the token acts for a person or for an organization.', 'organization'),
    sub: describe('The id of that person or organization.', exampleId('org')),
    organizations: describe('The ids of the organizations that the token reaches.', [exampleId('org')]),
    aud: describe('Who the token is for: the client, or a resource server.', exampleId('cli')),
    iss: describe('The environment that has issued the token.', 'https://auth.example.com'),
    exp: describe('When the token ends, in seconds since 1970.', 1_794_747_600),
    iat: describe('When the token was issued, in seconds since 1970.', 1_794_744_000),

    'request.tokens': describe('The access tokens and refresh tokens.', [ACCESS_TOKEN, REFRESH_TOKEN]),
    introspections: describe('One for each token.'),
    'request.subject': describe('Only grants of this person or organization.', exampleId('usr')),
    'request.organization_id': describe('Only grants that reach this organization.', exampleId('org')),
    'request.issued_before': describe(
      'Only tokens from before this time; their grants stay.',
      '2026-11-15T12:00:00.000Z',
    ),
    'request.dry_run': describe('Counts, and revokes nothing.', true),
    'request.cursor': describe('The next_cursor of the answer before.', exampleId('gra')),
    'answer.dry_run': describe('Whether nothing was revoked.', true),
    'answer.grants': describe('How many grants were revoked.', 1),
    'answer.tokens': describe('How many live tokens they had.', 2),
    'answer.next_cursor': describe('Send it as cursor to go on; null when all is done.', null),

    name: describe('What the person is called; with the scope profile.', 'Demo user'),
    preferred_username: describe(
      'The address that the person signs in with; with the scopes profile and email.',
      'demo@example.com',
    ),
    email: describe('The person’s email address; with the scope email.', 'demo@example.com'),
    email_verified: describe('Whether the address is known to be the person’s; with the scope email.', false),

    token_id: describe('The id of the token, which is no secret.', exampleId('tok')),
    token_sha256: describe(
      'The SHA-256 of the token in hex, by which a cache finds it.',
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    ),
    grant_id: describe('The id of the grant that it belongs to.', exampleId('gra')),
    revoked_at: describe('When it ended.', '2026-11-15T12:00:00.000Z'),
    secret_id: describe('The id of the new secret.', 'sec_0000000000000000000002'),
    revoked_secret_ids: describe('The ids of secrets that have ended with it.', [exampleId('sec')]),
    rotated_at: describe('When the client got it.', '2026-11-15T12:00:00.000Z'),
  },
};
