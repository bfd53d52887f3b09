import { operation } from '@dateline/versions';

export const addPostedAuthorizationRequests = operation('oauth2:post_authorize').added({
  name: 'addPostedAuthorizationRequests',
  summary: 'POST /v1/oauth2/authorize takes the parameters of an authorization request as a form.',
  why: 'OpenID Connect asks for both methods (Core §3.1.2.1), and some libraries post.',
  upgradeNote:
    'Nothing to do. A browser sends no version, so a page can post its request once 2027-01 is Current; until then send browsers by GET.',
  examples: [
    {
      before: null,
      after: { request: 'POST /v1/oauth2/authorize', body: { response_type: 'code', client_id: 'cli_…' } },
    },
  ],
});
