import type { Context } from '../../environments/environment.ts';
import type { SignedIn } from '../../identity/sessions/sign-in-sessions.ts';
import type { OrganizationId } from '../../identity/types.ts';
import { codeAddress } from './answer-address.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { issueCode } from './codes/issue-code.ts';
import { rememberConsent } from './consent/consents.ts';
import { consentKey } from './person.ts';

/** The user who consents, and the organizations they chose. */
export interface Allowance {
  signedIn: SignedIn;
  organizationIds: readonly OrganizationId[];
}

/** Stores the consent, answers the request, and returns where to redirect the browser. */
export async function allow(
  context: Context,
  request: AuthorizationRequest,
  allowance: Allowance,
): Promise<string> {
  const { scopes } = request;
  const { signedIn, organizationIds } = allowance;
  return context.transaction(async (inside) => {
    await rememberConsent(inside, consentKey(request, signedIn), { scopes, organizationIds });
    return answerRequest(inside, request, allowance);
  });
}

/** Answers a request with a code for what was allowed. */
export async function answerRequest(
  context: Context,
  request: AuthorizationRequest,
  { signedIn, organizationIds }: Allowance,
): Promise<string> {
  const code = await issueCode(context, {
    clientId: request.client.id,
    userId: signedIn.user.id,
    organizationIds,
    scopes: request.scopes,
    audience: request.audience,
    redirectUri: request.redirectUri,
    redirectUriOmitted: request.redirectUriOmitted,
    codeChallenge: request.codeChallenge,
    nonce: request.nonce,
    authenticatedAt: signedIn.authenticatedAt,
  });
  return codeAddress(context.issuer, request, code);
}
