import type { Context } from '../../environments/environment.ts';
import { organizationsOfUser } from '../../identity/organizations.ts';
import type { SignedIn } from '../../identity/sessions/sign-in-sessions.ts';
import type { Organization } from '../../identity/types.ts';
import { userOfIdToken } from '../signing/read-id-token.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { findConsent } from './consent/consents.ts';
import type { ConsentKey, StoredConsent } from './consent/store.ts';

/** The user, with everything that decides what to ask them. */
export interface Person {
  signedIn: SignedIn;
  /** The stored consent for this client. */
  consent: StoredConsent | null;
  /** Where they are a member now. */
  organizations: readonly Organization[];
  /** True if this is the user whom the client expects; unknown if its hint is no id_token of ours for this client. */
  isExpected: boolean | 'unknown';
}

export async function findPerson(
  context: Context,
  request: AuthorizationRequest,
  signedIn: SignedIn,
): Promise<Person> {
  return {
    signedIn,
    consent: await findConsent(context, consentKey(request, signedIn)),
    organizations: await organizationsOfUser(context, signedIn.user.id),
    isExpected: await isExpected(context, request, signedIn),
  };
}

async function isExpected(
  context: Context,
  { client, idTokenHint }: AuthorizationRequest,
  { user }: SignedIn,
): Promise<Person['isExpected']> {
  if (idTokenHint === undefined) return true;
  const hinted = await userOfIdToken(context, client.id, idTokenHint);
  return hinted === null ? 'unknown' : hinted === user.id;
}

export function consentKey({ client, audience }: AuthorizationRequest, { user }: SignedIn): ConsentKey {
  return { userId: user.id, clientId: client.id, audience };
}
