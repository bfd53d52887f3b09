import { operation, together } from '@dateline/versions';

export const addBulkTokenOperations = together(
  [operation('oauth2:introspect_tokens').added(), operation('oauth2:revoke_tokens').added()],
  {
    name: 'addBulkTokenOperations',
    summary:
      'A client introspects up to 100 tokens at once, and revokes all of its tokens that have something in common.',
    why: 'Checking many tokens, or ending an incident, should not need a request for each.',
    upgradeNote:
      'Nothing to do. Bodies are JSON; a revocation that answers with next_cursor goes on when it is sent again with it.',
    examples: [
      {
        before: null,
        after: { request: 'POST /v1/oauth2/introspections', body: { tokens: ['dl_at_…', 'dl_rt_…'] } },
      },
      {
        before: null,
        after: {
          answerTo: 'POST /v1/oauth2/introspections',
          status: 200,
          body: { introspections: [{ active: true, token_type: 'access_token' }, { active: false }] },
        },
      },
      {
        before: null,
        after: {
          request: 'POST /v1/oauth2/revocations',
          body: { subject: 'usr_0000000000000000000001', dry_run: true },
        },
      },
      {
        before: null,
        after: {
          answerTo: 'POST /v1/oauth2/revocations',
          status: 200,
          body: { dry_run: true, grants: 2, tokens: 5, next_cursor: null },
        },
      },
    ],
  },
);
