import type { Change } from '@dateline/versions';

export const requireRegistrationTokens: Change = {
  name: 'requireRegistrationTokens',
  kind: 'changed',
  summary:
    'In production a client registers with a registration token, which is good once; an operator key is refused.',
  why: 'Whoever registers a client should not hold the key to the whole service.',
  upgradeNote:
    'Ask the operator for a registration token (POST /operator/registration-tokens, or dateline registration-token create). It takes them in every version. The sandbox stays open.',
  examples: [
    {
      before: {
        answerTo: 'POST /v1/oauth2/register',
        status: 401,
        body: {
          error: 'invalid_token',
          error_description: 'The token that this needs is missing, or is not the right one.',
        },
      },
      after: {
        answerTo: 'POST /v1/oauth2/register',
        status: 403,
        body: {
          error: 'insufficient_scope',
          error_description:
            'An operator key cannot register a client; send a registration token, created at /operator/registration-tokens.',
        },
      },
    },
  ],
  touches: ['oauth2:register_client.errors.403'],
  upgradeRequest: {
    'oauth2:register_client': (request) => ({
      ...request,
      command: { ...request.command, takesOperatorKeys: true },
    }),
  },
  // Never thrown here, since these versions take operator keys.
  downgradeError: (error, operationId) =>
    operationId === 'oauth2:register_client' && error.code === 'insufficient_scope'
      ? {
          code: 'invalid_token',
          status: 401,
          detail: 'The token that this needs is missing, or is not the right one.',
        }
      : error,
};
