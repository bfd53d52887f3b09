import type { Scope } from '../../../oauth/scopes/scopes.ts';

/** Scopes as people read them, after "asks for permission to". */
export const scopeWords: Readonly<Record<Scope, string>> = {
  openid: 'Know that it is you',
  profile: 'See your name',
  email: 'See your email address',
  'products:read': 'See products',
  'products:write': 'Create, change and delete products',
  'webhooks:read': 'See webhook endpoints and what was sent to them',
  'webhooks:write': 'Create, change and delete webhook endpoints',
  'organizations:read': 'See the names of your organizations',
  'grants:manage': 'See what you allow other applications, and take it back',
  offline_access: 'Keep this access while you are away',
};
