import type { Scene } from '../../../environments/environment.ts';
import type { OrganizationId, UserId } from '../../../identity/types.ts';
import type { KnownScopes, Scope } from '../../scopes/scopes.ts';
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

export interface StoredConsent extends Consent {
  /** The user has left one of the organizations since, and belongs to it again. */
  hasRejoined: boolean;
}

export async function findConsent(scene: Scene, key: ConsentKey): Promise<StoredConsent | null> {
  return selectConsent(scene.session, key);
}

/**
 * Stores what was allowed. Earlier scopes stay allowed, in the organizations that they were allowed in: where others are chosen
 * now, or one that the user has left meanwhile, only those stay that need none.
 */
export async function rememberConsent(scene: Scene, key: ConsentKey, given: Consent): Promise<void> {
  const before = await selectConsent(scene.session, key);
  const consent = before === null ? given : together(before, given, scene.scopes);
  const hasChosen = scene.scopes.needsOrganization(given.scopes);
  await upsertConsent(scene.session, key, { ...consent, givenAt: scene.clock.now(), hasChosen });
}

function together(before: StoredConsent, given: Consent, { needsOrganization }: KnownScopes): Consent {
  const chooses = needsOrganization(given.scopes);
  const organizationIds = chooses ? given.organizationIds : before.organizationIds;
  const isSame = isSameSet(organizationIds, before.organizationIds) && !(chooses && before.hasRejoined);
  const kept = isSame ? before.scopes : before.scopes.filter((scope) => !needsOrganization([scope]));
  return { organizationIds, scopes: [...new Set([...kept, ...given.scopes])] };
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item) => other.includes(item));
}
