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

/** Scopes about a user; a client that acts for itself has none. */
export const scopesOfPeople: readonly Scope[] = ['openid', 'profile', 'email'];

/** Whether one of these scopes acts in an organization. */
export function needsOrganization(asked: readonly Scope[]): boolean {
  return asked.some((scope) => !scopesOfPeople.includes(scope));
}
