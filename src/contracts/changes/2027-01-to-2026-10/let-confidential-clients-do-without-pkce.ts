import type { Change, Json, UpgradableRequest } from '@dateline/versions';

export const letConfidentialClientsDoWithoutPkce: Change = {
  name: 'letConfidentialClientsDoWithoutPkce',
  kind: 'added',
  summary:
    'A client with a secret may register require_pkce: false; /v1/oauth2/authorize then takes its requests without code_challenge, and the token endpoint its codes without code_verifier.',
  why: 'Many libraries and products for servers send no PKCE, and some cannot.',
  upgradeNote:
    'Nothing to do: it is required unless you say otherwise. A challenge that is sent is checked as ever. What is registered here holds in every version.',
  examples: [
    {
      before: { answerTo: 'POST /v1/oauth2/register', status: 201, body: { client_name: 'Shop' } },
      after: {
        answerTo: 'POST /v1/oauth2/register',
        status: 201,
        body: { client_name: 'Shop', require_pkce: false },
      },
    },
  ],
  touches: [
    'oauth2:**.require_pkce',
    'oauth2:register_client.responses.201.schema.required',
    'oauth2:read_client.responses.200.schema.required',
    'oauth2:replace_client.responses.200.schema.required',
    'oauth2:authorize.query.required',
  ],
  upgradeRequest: { 'oauth2:register_client': withoutPkce, 'oauth2:replace_client': keepingPkce },
  downgradeResponse: {
    'oauth2:register_client': withoutField,
    'oauth2:read_client': withoutField,
    'oauth2:replace_client': withoutField,
  },
};

/** These versions ignore the field, as any that they do not know. */
function withoutPkce(request: UpgradableRequest): UpgradableRequest {
  return { ...request, body: withoutField(request.body) };
}

/** A replaced registration keeps `require_pkce`: this version cannot express it, so it does not mean to change it. */
function keepingPkce(request: UpgradableRequest): UpgradableRequest {
  return { ...withoutPkce(request), command: { ...request.command, keepsPkce: true } };
}

function withoutField({ require_pkce: _newer, ...body }: Json): Json {
  return body;
}
