import { asking, type Step, type StepParts } from '../step.ts';

const OWN = '/v1/oauth2/register/{{registered}}';

const register = asking('oauth2:register_client', 'POST', '/v1/oauth2/register');
const read = asking('oauth2:read_client', 'GET', OWN);
const replace = asking('oauth2:replace_client', 'PUT', OWN);
const remove = asking('oauth2:delete_client', 'DELETE', OWN);

const robot = { client_name: 'Robot', grant_types: ['client_credentials'], scope: 'products:read' };
const app = {
  client_name: 'App',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  redirect_uris: ['https://app.example/callback'],
};
const elsewhere = { ...app, redirect_uris: ['http://app.example/callback'] };
const named = { ...robot, client_id: '{{registered}}' };

const anybody = (json: object, more: StepParts = {}): StepParts => ({
  as: 'nobody',
  body: { json },
  ...more,
});
/** The client itself, by its registration access token. */
const itself = (more: StepParts = {}): StepParts => ({
  as: 'nobody',
  headers: { authorization: 'Bearer {{registration}}' },
  ...more,
});

export const registrationSteps: readonly Step[] = [
  register('that acts for itself', '201', {
    ...anybody(robot),
    save: { registered: 'client_id', registration: 'registration_access_token' },
  }),
  register('without a secret', '201', anybody(app)),
  register(
    'that does without PKCE and without a secret',
    '400 invalid_client_metadata',
    anybody({ ...app, require_pkce: false }),
  ),
  register('that would be sent elsewhere', '400 invalid_redirect_uri', anybody(elsewhere)),
  register(
    'whose response types do not fit',
    '400 invalid_client_metadata',
    anybody({ ...robot, response_types: ['code'] }),
  ),
  read('one’s own', '200', itself()),
  read('with another’s token', '401 invalid_token', itself({ path: '/v1/oauth2/register/{{owner.client}}' })),
  replace('the name', '200', itself({ body: { json: { ...named, client_name: 'Better robot' } } })),
  replace('the id', '400 invalid_client_metadata', itself({ body: { json: { ...named, client_id: 'x' } } })),
  replace(
    'the address',
    '400 invalid_redirect_uri',
    itself({ body: { json: { ...elsewhere, client_id: '{{registered}}' } } }),
  ),
  ...Array.from({ length: 55 }, (_, index) =>
    register(`attempt ${index + 1}`, '400 invalid_redirect_uri', anybody(elsewhere, { waitSeconds: 0 })),
  ),
  register('one attempt too many', '429 too_many_requests', anybody(elsewhere, { waitSeconds: 0 })),
  read('a minute later', '200', itself({ waitSeconds: 61 })),
  remove('oneself', '204', itself()),
  read('oneself, deleted', '401 invalid_token', itself()),
];
