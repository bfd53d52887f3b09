import { asking, type Step, type StepParts } from '../step.ts';

const introspect = asking('oauth2:introspect_tokens', 'POST', '/v1/oauth2/introspections');
const revoke = asking('oauth2:revoke_tokens', 'POST', '/v1/oauth2/revocations');
const report = asking('oauth2:report_leak', 'POST', '/v1/oauth2/report-leak');

/** JSON without a bearer token: the client's credentials are in its members. */
const sent = (json: object): StepParts => ({ as: 'nobody', body: { json } });

const owner = { client_id: '{{owner.client}}', client_secret: '{{owner.secret}}' };
const guesser = { client_id: '{{stranger.client}}', client_secret: 'guess' };
const tokens = ['{{owner.access_token}}', 'x', '{{owner.refresh_token}}'];

/** After the steps for one token, whose tokens are revoked here. */
export const bulkTokenSteps: readonly Step[] = [
  introspect('some of one’s own', '200', sent({ ...owner, tokens })),
  introspect('none', '400 invalid_request', sent({ ...owner, tokens: [] })),
  introspect(
    'with a field that nobody knows',
    '400 invalid_request',
    sent({ ...owner, tokens, colour: 'red' }),
  ),
  revoke(
    'to count them',
    '200',
    sent({ ...owner, issued_before: '2000-01-01T00:00:00.000Z', dry_run: true }),
  ),
  revoke('of an organization', '200', sent({ ...owner, organization_id: '{{stranger.organization}}' })),
  revoke('of everybody', '400 invalid_request', sent(owner)),
  report('one that was never issued', '200', sent({ token: 'never_issued' })),
  report('nothing', '400 invalid_request', sent({ token: '' })),
  ...Array.from({ length: 59 }, (_, index) =>
    report(`report ${index + 1}`, '200', { ...sent({ token: 'x' }), waitSeconds: 0 }),
  ),
  report('one report too many', '429 too_many_requests', { ...sent({ token: 'x' }), waitSeconds: 0 }),
  ...Array.from({ length: 20 }, (_, index) =>
    introspect(`guess ${index + 1}`, '401 invalid_client', sent({ ...guesser, tokens })),
  ),
  introspect('one guess too many', '429 too_many_requests', sent({ ...guesser, tokens })),
  revoke('one guess too many', '429 too_many_requests', sent({ ...guesser, subject: 'x' })),
  introspect('a minute later', '200', { ...sent({ ...owner, tokens }), waitSeconds: 61 }),
];
