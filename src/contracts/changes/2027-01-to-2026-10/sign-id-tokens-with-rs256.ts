import type { Change, Json, UpgradableRequest } from '@dateline/versions';

export const signIdTokensWithRs256: Change = {
  name: 'signIdTokensWithRs256',
  kind: 'added',
  summary: 'A client may register id_token_signed_response_alg: ES256, as before, or RS256.',
  why: 'Some libraries accept RS256 alone unless they are told otherwise; OpenID Connect makes it the default.',
  upgradeNote:
    'Nothing to do: without it, id_tokens are signed with ES256. A replacement (PUT) without it means ES256 too; in older versions it leaves the algorithm as it is.',
  examples: [
    {
      before: null,
      after: {
        ruleOf: 'POST /v1/oauth2/register',
        field: 'id_token_signed_response_alg',
        schema: { enum: ['ES256', 'RS256'] },
      },
    },
    {
      before: {
        answerTo: 'POST /v1/oauth2/register',
        status: 201,
        body: { client_id: 'cli_0001', response_types: ['code'] },
      },
      after: {
        answerTo: 'POST /v1/oauth2/register',
        status: 201,
        body: { client_id: 'cli_0001', response_types: ['code'], id_token_signed_response_alg: 'RS256' },
      },
    },
  ],
  touches: ['oauth2:**.id_token_signed_response_alg', 'oauth2:**_client.responses.**.required'],
  upgradeRequest: {
    'oauth2:register_client': withoutAlgorithm,
    'oauth2:replace_client': withoutAlgorithm,
  },
  downgradeResponse: {
    'oauth2:register_client': asBefore,
    'oauth2:read_client': asBefore,
    'oauth2:replace_client': asBefore,
  },
};

// These versions ignore the field, like any other that they do not know.
function withoutAlgorithm(request: UpgradableRequest): UpgradableRequest {
  return { ...request, command: { ...request.command, keepsIdTokenAlgorithm: true } };
}

function asBefore({ id_token_signed_response_alg: _, ...client }: Json): Json {
  return client;
}
