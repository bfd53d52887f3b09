import { operation } from '@dateline/versions';

export const addIdTokenHints = operation('oauth2:authorize')
  .query('id_token_hint')
  .added({
    name: 'addIdTokenHints',
    summary:
      'The contract of /v1/oauth2/authorize names id_token_hint: an id_token of the person that the client expects.',
    why: 'A client that renews a sign-in silently is to get the same person again, or an error (OpenID Connect Core §3.1.2.1).',
    upgradeNote:
      'Nothing to do. A browser sends no version, so the hint is read in every version: with prompt=none, another person than the hinted one is login_required.',
    examples: [
      {
        before: null,
        after: {
          request:
            'GET /v1/oauth2/authorize?response_type=code&client_id=cli_…&prompt=none&id_token_hint=eyJ…',
        },
      },
    ],
  });
