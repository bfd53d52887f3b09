import { ApiError } from '../../errors/api-error.ts';
import type { Organization } from '../../identity/types.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { Consent } from './consent/store.ts';
import type { Person } from './person.ts';

export type NextStep =
  | { kind: 'sign in'; asSomebodyElse: boolean }
  | { kind: 'ask'; person: Person }
  | { kind: 'answer'; person: Person; consent: Consent };

/** The step that a request needs before it can be answered. With `prompt=none` a step with a page is an error. */
export function nextStep(request: AuthorizationRequest, person: Person | null, now: Date): NextStep {
  const silent = request.prompts.includes('none');
  if (person === null || mustSignInAgain(request, person, now)) {
    if (silent) throw new ApiError('login_required');
    return { kind: 'sign in', asSomebodyElse: person?.isExpected === false };
  }
  const { consent } = person;
  const missing = whatIsMissing(request, person);
  if (missing !== null && silent) throw new ApiError(missing);
  return missing === null && consent ? { kind: 'answer', person, consent } : { kind: 'ask', person };
}

export function mustSignInAgain(
  { prompts, maxAgeSeconds }: AuthorizationRequest,
  { signedIn: { authenticatedAt }, isExpected }: Person,
  now: Date,
): boolean {
  if (prompts.includes('login') || isExpected === false) return true;
  // A person can see who is signed in. Nobody sees a silent request, so a hint that says nothing must not pass.
  if (prompts.includes('none') && isExpected === 'unknown') return true;
  return maxAgeSeconds !== null && now.getTime() > authenticatedAt.getTime() + maxAgeSeconds * 1000;
}

/** Prompts that always show the consent page: it also shows who is signed in, and lets them switch accounts. */
const ASKED_IN_ANY_CASE = ['consent', 'select_account'] as const;

function whatIsMissing(
  request: AuthorizationRequest,
  { consent, organizations }: Person,
): 'consent_required' | 'interaction_required' | null {
  if (ASKED_IN_ANY_CASE.some((prompt) => request.prompts.includes(prompt)) || canBeImitated(request))
    return 'consent_required';
  if (!consent || !request.scopes.every((scope) => consent.scopes.includes(scope))) return 'consent_required';
  const chosen = reachOf(request, consent);
  const left =
    !chosen.every((id) => organizations.some((organization) => organization.id === id)) ||
    (consent.hasRejoined && chosen.length > 0);
  // The user belonged to no organization then, and belongs to one now.
  const joined = chosen.length === 0 && mustChoose(request, organizations);
  return left || joined ? 'interaction_required' : null;
}

/** The organizations that an answer names: none where no scope needs one. */
export function reachOf(
  { needsOrganization }: Pick<AuthorizationRequest, 'needsOrganization'>,
  { organizationIds }: Pick<Consent, 'organizationIds'>,
): Consent['organizationIds'] {
  return needsOrganization ? organizationIds : [];
}

/** These scopes do nothing without an organization. A user who belongs to none has none to choose. */
export function mustChoose(
  { needsOrganization }: AuthorizationRequest,
  organizations: readonly Organization[],
): boolean {
  return organizations.length > 0 && needsOrganization;
}

/**
 * Any program on the same machine can claim to be this client, and listen at its redirect URI: only the user can
 * recognise it (RFC 6749 §10.2, RFC 8252 §8.6).
 */
function canBeImitated({ client, redirectUri }: AuthorizationRequest): boolean {
  return client.kind === 'public' && !redirectUri.startsWith('https:');
}
