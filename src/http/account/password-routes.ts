import type { FastifyReply } from 'fastify';
import { ApiError } from '../../errors/api-error.ts';
import { changePassword } from '../../identity/change-password.ts';
import type { App } from '../app/create-app.ts';
import { type AccountParts, fieldsOf } from './account-parts.ts';
import { PASSWORD } from './continuation.ts';
import { type PasswordPageParts, passwordPage } from './pages/password-pages.ts';
import { formToken, requireSameOriginForm } from './same-origin-form.ts';
import { sendFormPage } from './send-form-page.ts';
import { signOutForm } from './sign-in-routes.ts';
import { type SignedInVisit, signedInVisit } from './signed-in-visit.ts';

const SUBJECT = ['change password'];

/** Where users change their password. */
export function passwordRoutes(app: App, parts: AccountParts): void {
  const { environment, visits, checkPassword } = parts;

  app.get<{ Querystring: { done?: unknown } }>(PASSWORD, async (request, reply) => {
    const visit = await signedInVisit(parts, { request, reply, path: PASSWORD });
    if (!visit) return reply;
    return show(reply, visit, request.query.done === undefined ? {} : { done: true });
  });

  app.post(PASSWORD, async (request, reply) => {
    const visit = await signedInVisit(parts, { request, reply, path: PASSWORD });
    if (!visit) return reply;
    requireSameOriginForm(request, visit, { subject: SUBJECT, issuer: environment.issuer });
    const {
      old_password: password = '',
      new_password: wanted = '',
      repeated_password: repeated = '',
    } = fieldsOf(request);
    if (wanted !== repeated) return show(reply, visit, { problem: 'The two new passwords differ.' });
    const { user } = visit.signedIn;
    if (!(await checkPassword({ email: user.email, password, address: request.ip })))
      return show(reply, visit, { problem: 'The old password is wrong.' });
    try {
      visits.goOnAs(reply, await changePassword(environment, user.id, wanted));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'validation_failed') throw error;
      return show(reply, visit, { problem: error.detail });
    }
    return reply.redirect(`${PASSWORD}?done`, 303);
  });

  function show(
    reply: FastifyReply,
    visit: SignedInVisit,
    outcome: Pick<PasswordPageParts, 'problem' | 'done'>,
  ): FastifyReply {
    const page = passwordPage({
      email: visit.signedIn.user.email,
      form: { form_token: formToken(visit, SUBJECT) },
      signOutForm: signOutForm(visit, PASSWORD),
      ...outcome,
    });
    const status = outcome.problem === undefined ? 200 : 422;
    return sendFormPage(reply, parts.site, { page, status, leadsAway: false });
  }
}
