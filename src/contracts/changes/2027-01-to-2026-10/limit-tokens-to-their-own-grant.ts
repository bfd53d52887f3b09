import type { Change, UpgradableRequest } from '@dateline/versions';

export const limitTokensToTheirOwnGrant: Change = {
  name: 'limitTokensToTheirOwnGrant',
  kind: 'changed',
  summary: 'A token lists and ends its own grant; the others of its user need the new scope grants:manage.',
  why: 'What else a user allows, and to whom, is none of the business of an application that may read a name.',
  upgradeNote:
    'Ask for grants:manage if you show users what they allow; it is granted only where it is named. To end your own grant, as at signing out, nothing changes.',
  examples: [
    {
      before: {
        answerTo: 'DELETE /v1/oauth2/grants/{id}',
        status: 404,
        body: { error: 'not_found', detail: 'There is no live grant with this id.' },
      },
      after: {
        answerTo: 'DELETE /v1/oauth2/grants/{id}',
        status: 403,
        body: {
          type: 'urn:dateline:error:insufficient_scope',
          title: 'The token does not carry the scope that this operation needs.',
          status: 403,
          detail: 'The token does not carry the scope grants:manage.',
          code: 'insufficient_scope',
        },
      },
    },
  ],
  touches: ['oauth2:end_grant.errors.403'],
  upgradeRequest: {
    'oauth2:list_grants': grantsOfClient,
    'oauth2:end_grant': grantsOfClient,
    'oauth2:register_client': fewerScopes,
    'oauth2:replace_client': fewerScopes,
  },
  // Never thrown here, since no request of these versions lacks the scope.
  downgradeError: (error, operationId) =>
    operationId === 'oauth2:end_grant' && error.code === 'insufficient_scope'
      ? { code: 'not_found', status: 404, detail: 'There is no live grant with this id.' }
      : error,
};

function grantsOfClient(request: UpgradableRequest): UpgradableRequest {
  return { ...request, command: { ...request.command, grantsOfClient: true } };
}

// These versions have promised these scopes and no others; the list must not follow Next's.
const KNOWN_SCOPES = [
  'openid',
  'profile',
  'email',
  'products:read',
  'products:write',
  'webhooks:read',
  'webhooks:write',
  'organizations:read',
];

function fewerScopes(request: UpgradableRequest): UpgradableRequest {
  return { ...request, command: { ...request.command, knownScopes: KNOWN_SCOPES } };
}
