import { describe, exampleId, type Subject } from './prose.ts';

/** Clients that register and look after themselves (RFC 7591, 7592). */
export const registrationProse: Subject = {
  operations: {
    'oauth2:register_client': {
      description:
        'Makes a client (RFC 7591). The sandbox is open to everyone, and gives each client an organization of its own. In production send as bearer token what the operator has given you for it. Fields that are not known here are ignored.',
      answers: {
        201: 'The client, with its secret and the token that looks after it. Both are shown here only.',
      },
    },
    'oauth2:read_client': {
      description: 'Shows what is registered (RFC 7592). Send the registration_access_token as bearer token.',
      answers: { 200: 'The client as it is registered.' },
    },
    'oauth2:replace_client': {
      description:
        'Replaces all that is registered (RFC 7592): what is left out goes back to its default. Send the registration_access_token as bearer token.',
      answers: { 200: 'The client as it is registered now.' },
      sends: [
        'redirect_uris',
        'token_endpoint_auth_method',
        'grant_types',
        'response_types',
        'client_name',
        'scope',
        'require_pkce',
        'id_token_signed_response_alg',
      ],
    },
    'oauth2:delete_client': {
      description:
        'Deletes the client, and ends all its grants and tokens at once (RFC 7592). Send the registration_access_token as bearer token.',
      answers: { 204: 'It is deleted.' },
    },
  },
  events: {},
  fields: {
    'path.client_id': describe('The id of the client.', exampleId('cli')),
    client_id: describe('The id of the client.', exampleId('cli')),
    client_secret: describe('The secret of the client; a public client has none.', 'dl_test_cs_example'),
    client_id_issued_at: describe('When the client was registered, in seconds since 1970.', 1_794_744_000),
    client_secret_expires_at: describe('When the secret ends, in seconds since 1970; 0 for never.', 0),
    registration_access_token: describe(
      'What reads, replaces and deletes the registration.',
      'dl_test_ra_example',
    ),
    registration_client_uri: describe(
      'Where to read, replace and delete it.',
      `https://auth.example.com/v1/oauth2/register/${exampleId('cli')}`,
    ),
    redirect_uris: describe('Where browsers may be sent back to.', ['https://app.example.com/callback']),
    token_endpoint_auth_method: describe(
      'How the client authenticates: client_secret_basic, client_secret_post, or none for a public client.',
      'client_secret_basic',
    ),
    grant_types: describe('The grants that the client may use.', ['authorization_code', 'refresh_token']),
    response_types: describe('What comes back from an authorization: code, or nothing.', ['code']),
    client_name: describe('What people see when they are asked for permission.', 'Order desk'),
    scope: describe('The scopes that the client may ask for, separated by spaces.', 'openid webhooks:read'),
    require_pkce: describe(
      'Whether authorizations need PKCE (RFC 7636). A client with a secret may do without it; one without may not.',
      true,
    ),
    id_token_signed_response_alg: describe(
      'How id_tokens for the client are signed: ES256 or RS256.',
      'ES256',
    ),
  },
};
