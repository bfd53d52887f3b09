import type { Context } from '../../../environments/environment.ts';
import type { KnownScopes } from '../../scopes/scopes.ts';
import { type Consent, type ConsentKey, type StoredConsent, selectConsent, upsertConsent } from './store.ts';

export async function findConsent(context: Context, key: ConsentKey): Promise<StoredConsent | null> {
  return selectConsent(context.session, key);
}

/**
 * Stores what was allowed. Earlier scopes stay allowed, in the organizations that they were allowed in: where others are chosen
 * now, or one that the user has left meanwhile, only those stay that need none.
 */
export async function rememberConsent(context: Context, key: ConsentKey, given: Consent): Promise<void> {
  const before = await selectConsent(context.session, key);
  const consent = before === null ? given : together(before, given, context.scopes);
  const hasChosen = context.scopes.needsOrganization(given.scopes);
  await upsertConsent(context.session, key, { ...consent, givenAt: context.clock.now(), hasChosen });
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
