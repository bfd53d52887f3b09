import type { Scene } from '../../../environments/environment.ts';
import type { OrganizationId, UserId } from '../../../identity/types.ts';
import type { Scope } from '../../scopes/scopes.ts';
import type { OAuthClientId } from '../../types.ts';
import { selectConsent, upsertConsent } from './store.ts';

/** A user, a client, and the audience of its tokens. */
export interface ConsentKey {
  userId: UserId;
  clientId: OAuthClientId;
  audience: string;
}

export interface Consent {
  scopes: readonly Scope[];
  organizationIds: readonly OrganizationId[];
}

export async function findConsent(scene: Scene, key: ConsentKey): Promise<Consent | null> {
  return selectConsent(scene.session, key);
}

/**
 * Stores what was allowed. Scopes are added to earlier ones only for the same organizations: the user has not allowed the
 * old scopes in the new ones.
 */
export async function rememberConsent(scene: Scene, key: ConsentKey, given: Consent): Promise<void> {
  const before = await selectConsent(scene.session, key);
  const same = before !== null && isSameSet(before.organizationIds, given.organizationIds);
  const scopes = same ? [...new Set([...before.scopes, ...given.scopes])] : given.scopes;
  await upsertConsent(scene.session, key, { ...given, scopes, givenAt: scene.clock.now() });
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item) => other.includes(item));
}
