import type { Change, UpgradableRequest } from '@dateline/versions';

export const takeClientCredentialsInTheHeader: Change = {
  name: 'takeClientCredentialsInTheHeader',
  kind: 'changed',
  summary:
    'POST /v1/oauth2/revoke and /v1/oauth2/introspect take HTTP Basic beside client_id and client_secret in the form; a public client revokes its tokens with client_id alone.',
  why: 'Most OAuth libraries send HTTP Basic unless they are told otherwise, and apps without a secret could not sign out (RFC 7009 §2.1).',
  upgradeNote:
    'Form fields work as before. Send the secret once: a request with client_secret and an Authorization header is refused with 400, where older versions ignore the header.',
  examples: [
    {
      before: {
        request: 'POST /v1/oauth2/revoke',
        body: { token: 'dl_rt_…', client_id: 'cli_…', client_secret: 'dl_cs_…' },
      },
      after: {
        request: 'POST /v1/oauth2/revoke',
        clientAuthentication: ['client_secret_basic', 'client_secret_post', 'none'],
        body: { token: 'dl_rt_…' },
      },
    },
  ],
  touches: [
    'oauth2:revoke_token.clientAuthentication',
    'oauth2:revoke_token.body.schema.required',
    'oauth2:introspect_token.clientAuthentication',
    'oauth2:introspect_token.body.schema.required',
  ],
  upgradeRequest: {
    'oauth2:revoke_token': formFieldsOnly,
    'oauth2:introspect_token': formFieldsOnly,
  },
};

function formFieldsOnly({ command }: UpgradableRequest): Partial<UpgradableRequest> {
  return { command: { ...command, ignoresAuthorization: true } };
}
