import type { Change } from '@dateline/versions';

export const acceptOfflineAccess: Change = {
  name: 'acceptOfflineAccess',
  kind: 'added',
  summary:
    'The scope offline_access can be registered and asked for (OpenID Connect Core §11); the contract lists the known scopes.',
  why: 'Many OpenID Connect libraries ask for it, and were refused.',
  upgradeNote:
    'Nothing to do. It is granted only where it is named, and people are shown it. Refresh tokens come with the grant type refresh_token, with or without it.',
  examples: [
    {
      before: null,
      after: {
        ruleOf: 'POST /v1/oauth2/register',
        field: 'scope',
        schema: {
          'x-scopes': [
            'openid',
            'profile',
            'email',
            'products:read',
            'products:write',
            'webhooks:read',
            'webhooks:write',
            'organizations:read',
            'grants:manage',
            'offline_access',
          ],
        },
      },
    },
  ],
  // Older versions do not know it: see limitTokensToTheirOwnGrant, which has their list.
  touches: ['oauth2:**.scope.x-scopes'],
};
