/** What a token may be allowed to do. */
export const scopes = [
  'openid',
  'profile',
  'email',
  'products:read',
  'products:write',
  'webhooks:read',
  'webhooks:write',
  'organizations:read',
] as const;

export type Scope = (typeof scopes)[number];
