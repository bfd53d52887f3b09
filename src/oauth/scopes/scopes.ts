/** What a token may be allowed to do, and is where a client names nothing. */
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

/** The same with those that are granted only where they are named. */
export const knownScopes = [...scopes, 'grants:manage', 'offline_access'] as const;

export type Scope = (typeof knownScopes)[number];

/** Scopes about a user; a client that acts for itself has none. */
export const scopesOfPeople: readonly Scope[] = [
  'openid',
  'profile',
  'email',
  'grants:manage',
  'offline_access',
];

/** Those of these scopes that need not be named. */
export function unnamed(of: readonly Scope[]): readonly Scope[] {
  return of.filter((scope) => scopes.some((one) => one === scope));
}

/** Whether one of these scopes acts in an organization. */
export function needsOrganization(asked: readonly Scope[]): boolean {
  return asked.some((scope) => !scopesOfPeople.includes(scope));
}
