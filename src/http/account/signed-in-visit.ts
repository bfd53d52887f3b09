import type { SignedIn } from '../../identity/sessions/sign-in-sessions.ts';
import type { AccountParts, Visit } from './account-parts.ts';
import { SIGN_IN } from './continuation.ts';
import type { Exchange } from './for-client.ts';

export interface SignedInVisit extends Visit {
  signedIn: SignedIn;
}

/** The visit of a signed-in user. Anyone else is redirected to sign in, and the result is null. */
export async function signedInVisit(
  { visits }: AccountParts,
  { request, reply, path }: Exchange & { path: string },
): Promise<SignedInVisit | null> {
  const { value, signedIn } = await visits.of(request, reply);
  if (signedIn) return { value, signedIn };
  await reply.redirect(
    `${SIGN_IN}?continue=${encodeURIComponent(path)}`,
    request.method === 'POST' ? 303 : 302,
  );
  return null;
}
