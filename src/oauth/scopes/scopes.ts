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

/** About a person, whom a client that acts for itself does not have. */
export const scopesOfPeople: readonly Scope[] = ['openid', 'profile', 'email'];

/** Whether there is something among these that is done in an organization. */
export function needsOrganization(asked: readonly Scope[]): boolean {
  return asked.some((scope) => !scopesOfPeople.includes(scope));
}
