import type { Scene } from '../../environments/environment.ts';
import { organizationsOfUser } from '../../identity/organizations.ts';
import type { SignedIn } from '../../identity/sessions/sign-in-sessions.ts';
import type { Organization } from '../../identity/types.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { type Consent, type ConsentKey, findConsent } from './consent/consents.ts';

/** The user, with everything that decides what to ask them. */
export interface Person {
  signedIn: SignedIn;
  /** What they have allowed this client before. */
  consent: Consent | null;
  /** Where they are a member now. */
  organizations: readonly Organization[];
}

export async function findPerson(
  scene: Scene,
  request: AuthorizationRequest,
  signedIn: SignedIn,
): Promise<Person> {
  return {
    signedIn,
    consent: await findConsent(scene, consentKey(request, signedIn)),
    organizations: await organizationsOfUser(scene, signedIn.user.id),
  };
}

export function consentKey({ client, audience }: AuthorizationRequest, { user }: SignedIn): ConsentKey {
  return { userId: user.id, clientId: client.id, audience };
}
