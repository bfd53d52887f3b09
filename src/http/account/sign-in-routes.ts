import type { FastifyReply } from 'fastify';
import type { Context } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { endSession, startSession } from '../../identity/sessions/sign-in-sessions.ts';
import { findDestination } from '../../oauth/authorize/find-destination.ts';
import { readParameters } from '../../oauth/authorize/sent-parameters.ts';
import type { App } from '../app/create-app.ts';
import { type AccountParts, fieldsOf, type Visit } from './account-parts.ts';
import { afterSigningIn, queryOf, readContinuation, SIGN_IN, SIGN_OUT } from './continuation.ts';
import type { HiddenFields } from './pages/form-parts.ts';
import { signInPage } from './pages/sign-in-page.ts';
import { formToken, requireSameOriginForm } from './same-origin-form.ts';
import { sendFormPage } from './send-form-page.ts';

export function signInRoutes(app: App, parts: AccountParts): void {
  const { environment, visits, checkPassword } = parts;

  app.get<{ Querystring: { continue?: string | string[] } }>(SIGN_IN, async (request, reply) => {
    const continuation = readContinuation([request.query.continue].flat()[0]);
    const visit = await visits.of(request, reply);
    if (visit.signedIn) return reply.redirect(continuation, 302);
    return sendSignInPage(parts, reply, { visit, continuation });
  });

  app.post(SIGN_IN, async (request, reply) => {
    const { email = '', password = '', ...fields } = fieldsOf(request);
    const continuation = readContinuation(fields.continue);
    const visit = await visits.of(request, reply);
    requireSameOriginForm(request, visit, { subject: ['sign in', continuation], issuer: environment.issuer });
    const user = await checkPassword({ email, password, address: request.ip });
    if (!user)
      return sendSignInPage(parts, reply, {
        visit,
        continuation,
        email,
        problem: 'Email or password is wrong.',
      });
    const sessionValue = await environment.transaction(async (inside) => {
      await endSession(inside, visit.value);
      return startSession(inside, user.id);
    });
    visits.goOnAs(reply, sessionValue);
    return reply.redirect(afterSigningIn(continuation), 303);
  });

  app.post(SIGN_OUT, async (request, reply) => {
    const continuation = readContinuation(fieldsOf(request).continue);
    const visit = await visits.of(request, reply);
    requireSameOriginForm(request, visit, {
      subject: ['sign out', continuation],
      issuer: environment.issuer,
    });
    // A transaction, as the session may have been ended before.
    await environment.transaction((inside) => endSession(inside, visit.value));
    visits.goOnSignedOut(reply);
    return reply.redirect(continuation, 303);
  });
}

export interface SigningIn {
  visit: Visit;
  continuation: string;
  email?: string | undefined;
  problem?: string;
  /** The application expects another person than the one who is signed in. */
  asSomebodyElse?: boolean;
}

export async function sendSignInPage(
  { environment, site }: AccountParts,
  reply: FastifyReply,
  { visit, continuation, email, problem, asSomebodyElse }: SigningIn,
): Promise<FastifyReply> {
  const page = signInPage({
    clientName: await clientNameOf(environment, continuation),
    email,
    problem: problem ?? (asSomebodyElse ? 'The application asks for another account.' : undefined),
    form: { continue: continuation, form_token: formToken(visit, ['sign in', continuation]) },
  });
  const leadsAway = queryOf(continuation) !== null;
  return sendFormPage(reply, site, { page, status: problem === undefined ? 200 : 422, leadsAway });
}

/** The fields of the sign-out form, and where it leads. */
export function signOutForm(visit: Visit, continuation: string): HiddenFields {
  return { continue: continuation, form_token: formToken(visit, ['sign out', continuation]) };
}

/** The client that a user signs in for; null without one. */
async function clientNameOf(context: Context, continuation: string): Promise<string | null> {
  const query = queryOf(continuation);
  if (query === null) return null;
  try {
    return (await findDestination(context, readParameters(query))).client.name;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
