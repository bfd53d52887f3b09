import type { OrganizationId, UserId } from '../src/identity/types.ts';
import { newId } from '../src/kernel/ids.ts';
import { knownScopes } from '../src/oauth/scopes/scopes.ts';
import type { ActiveToken, OAuthClientId } from '../src/oauth/types.ts';

const now = new Date();
const clientId: OAuthClientId = newId('cli', now);
const userId: UserId = newId('usr', now);
const organizationId: OrganizationId = newId('org', now);

/** For servers that look nothing up: as long as those that are looked up. */
export const constantToken: ActiveToken = {
  active: true,
  tokenId: newId('tok', now),
  kind: 'access_token',
  clientId,
  grantId: newId('gra', now),
  scopes: knownScopes().usual,
  hasLostAllScopes: false,
  subject: { type: 'user', id: userId },
  organizationIds: [organizationId],
  audience: clientId,
  issuedAt: now,
  expiresAt: new Date(now.getTime() + 3_600_000),
};
