import type { Change } from '@dateline/versions';

export const putNamesIntoIdTokens: Change = {
  name: 'putNamesIntoIdTokens',
  kind: 'added',
  summary:
    'An id_token has name where profile was granted, and email and email_verified where email was; the contract lists its claims.',
  why: 'Many libraries take the user from the id_token and never ask userinfo.',
  upgradeNote:
    'Nothing to do. The version of the token request decides, not the one of the browser; userinfo has the same claims in every version.',
  examples: [
    {
      before: null,
      after: {
        ruleOf: 'POST /v1/oauth2/token',
        field: 'id_token',
        schema: { contentMediaType: 'application/jwt' },
      },
    },
  ],
  touches: ['oauth2:create_token.responses.200.schema.properties.id_token'],
  upgradeRequest: {
    'oauth2:create_token': (request) => ({ ...request, command: { ...request.command, bareIdToken: true } }),
  },
};
