import { organizationsOf } from '../../identity/organizations.ts';
import { endGrantsToClient, listAllowed } from '../../oauth/grants/caller-grants/caller-grants.ts';
import { isClientId } from '../../oauth/types.ts';
import type { App } from '../app/create-app.ts';
import { type AccountParts, fieldsOf } from './account-parts.ts';
import { GRANTS } from './continuation.ts';
import { grantsPage } from './pages/grants-page.ts';
import { formToken, requireSameOriginForm } from './same-origin-form.ts';
import { sendFormPage } from './send-form-page.ts';
import { signOutForm } from './sign-in-routes.ts';
import { signedInVisit } from './signed-in-visit.ts';

const subjectOf = (clientId: string) => ['end grants', clientId];

/** Where users see what they allow, and revoke it. */
export function grantsRoutes(app: App, parts: AccountParts): void {
  const { environment, site } = parts;

  app.get('/account', async (_request, reply) => reply.redirect(GRANTS, 302));

  app.get(GRANTS, async (request, reply) => {
    const visit = await signedInVisit(parts, { request, reply, path: GRANTS });
    if (!visit) return reply;
    const allowed = await listAllowed(environment, visit.signedIn.user.id);
    const page = grantsPage({
      email: visit.signedIn.user.email,
      allowed,
      wordsFor: environment.scopes.wordsFor,
      organizations: await organizationsOf(environment, [
        ...new Set(allowed.flatMap(({ organizationIds }) => organizationIds)),
      ]),
      formFor: (clientId) => ({ client_id: clientId, form_token: formToken(visit, subjectOf(clientId)) }),
      signOutForm: signOutForm(visit, GRANTS),
    });
    return sendFormPage(reply, site, { page, leadsAway: false });
  });

  app.post(GRANTS, async (request, reply) => {
    const visit = await signedInVisit(parts, { request, reply, path: GRANTS });
    if (!visit) return reply;
    const { client_id: clientId = '' } = fieldsOf(request);
    requireSameOriginForm(request, visit, { subject: subjectOf(clientId), issuer: environment.issuer });
    if (isClientId(clientId)) await endGrantsToClient(environment, visit.signedIn.user.id, clientId);
    return reply.redirect(GRANTS, 303);
  });
}
