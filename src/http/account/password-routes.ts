import type { FastifyReply } from 'fastify';
import { ApiError } from '../../errors/api-error.ts';
import { changePassword } from '../../identity/change-password.ts';
import { usePasswordLink, userOfLink } from '../../identity/password-links/password-links.ts';
import type { App } from '../app/create-app.ts';
import { type AccountParts, fieldsOf, type Visit } from './account-parts.ts';
import { GRANTS, PASSWORD, SET_PASSWORD } from './continuation.ts';
import { type PasswordPageParts, passwordPage, setPasswordPage } from './pages/password-pages.ts';
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

const subjectOf = (link: string) => ['set password', link];

/** Where a link leads that an operator has given to a user. Looking at the page does not use the link up. */
export function setPasswordRoutes(app: App, parts: AccountParts): void {
  const { environment, visits } = parts;

  // Without HEAD: nothing but a person should follow such a link.
  app.get<{ Params: { link: string } }>(
    `${SET_PASSWORD}/:link`,
    { exposeHeadRoute: false },
    async (request, reply) => show(reply, await visits.of(request, reply), { link: request.params.link }),
  );

  app.post(SET_PASSWORD, async (request, reply) => {
    const { link = '', new_password: wanted = '', repeated_password: repeated = '' } = fieldsOf(request);
    const visit = await visits.of(request, reply);
    requireSameOriginForm(request, visit, { subject: subjectOf(link), issuer: environment.issuer });
    if (wanted !== repeated) return show(reply, visit, { link, problem: 'The two passwords differ.' });
    try {
      visits.goOnAs(reply, await usePasswordLink(environment, link, wanted));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'validation_failed') throw error;
      return show(reply, visit, { link, problem: error.detail });
    }
    return reply.redirect(GRANTS, 303);
  });

  async function show(
    reply: FastifyReply,
    visit: Visit,
    { link, problem }: { link: string; problem?: string },
  ): Promise<FastifyReply> {
    const { email } = await userOfLink(environment, link);
    const page = setPasswordPage({
      email,
      form: { link, form_token: formToken(visit, subjectOf(link)) },
      problem,
    });
    return sendFormPage(reply, parts.site, {
      page,
      status: problem === undefined ? 200 : 422,
      leadsAway: false,
    });
  }
}
