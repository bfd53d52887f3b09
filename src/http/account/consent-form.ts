import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KnownScopes } from '../../environments/known-scopes.ts';
import { ApiError } from '../../errors/api-error.ts';
import { organizationsOf } from '../../identity/organizations.ts';
import { sha256Hex } from '../../kernel/digest.ts';
import { allow } from '../../oauth/authorize/answer-request.ts';
import type { AuthorizationRequest } from '../../oauth/authorize/authorization-request.ts';
import { mustChoose, mustSignInAgain, reachOf } from '../../oauth/authorize/next-step.ts';
import { findPerson, type Person } from '../../oauth/authorize/person.ts';
import { type AccountParts, fieldsOf } from './account-parts.ts';
import { type Exchange, redirect } from './for-client.ts';
import { consentPage, organizationField } from './pages/consent-page.ts';
import { type FormSubject, formToken, requireSameOriginForm } from './same-origin-form.ts';
import { sendFormPage } from './send-form-page.ts';
import { signOutForm } from './sign-in-routes.ts';
import type { Visit } from './visits.ts';

/** A client's request, and the browser that sent it. */
export interface Asking {
  asked: AuthorizationRequest;
  continuation: string;
  visit: Visit;
}

/** Asks the user whether to allow the client. */
export async function sendConsentPage(
  { environment, site }: AccountParts,
  reply: FastifyReply,
  { asked, continuation, visit, person, problem }: Asking & { person: Person; problem?: string },
): Promise<FastifyReply> {
  const [publisher] = await organizationsOf(environment, [asked.client.organizationId]);
  const { organizations, consent } = person;
  const only = organizations.length === 1 ? organizations.map(({ id }) => id) : [];
  const chosenBefore = consent?.organizationIds ?? [];
  const shown = digestOfShown(asked, environment.scopes);
  const page = consentPage({
    asked,
    publisherName: publisher?.name ?? '',
    email: person.signedIn.user.email,
    wordsFor: environment.scopes.wordsFor,
    organizations: asked.needsOrganization ? organizations : null,
    chosenIds: chosenBefore.length > 0 ? chosenBefore : only,
    form: { continue: continuation, shown, form_token: formToken(visit, subjectOf(continuation, shown)) },
    signOutForm: signOutForm(visit, continuation),
    problem,
  });
  return sendFormPage(reply, site, { page, status: problem === undefined ? 200 : 422, leadsAway: true });
}

/** Refuses what no page of ours has sent. It says nothing yet about whether that page still tells the truth. */
export function requireConsentForm(request: FastifyRequest, visit: Visit, issuer: string): void {
  const { continue: continuation = '', shown = '' } = fieldsOf(request);
  requireSameOriginForm(request, visit, { subject: subjectOf(continuation, shown), issuer });
}

/** Carries out the user's decision, after `requireConsentForm`. */
export async function allowOrDeny(
  parts: AccountParts,
  exchange: Exchange,
  asking: Asking,
): Promise<FastifyReply> {
  const { environment } = parts;
  const { asked, continuation, visit } = asking;
  const { signedIn } = visit;
  const fields = fieldsOf(exchange.request);
  // If any of it has changed since, the user has not agreed to it.
  if (fields.shown !== digestOfShown(asked, environment.scopes)) throw new ApiError('form_refused');
  const person = signedIn && (await findPerson(environment, asked, signedIn));
  if (person === null || mustSignInAgain(asked, person, environment.clock.now()))
    return redirect(exchange, continuation);
  if (fields.decision !== 'allow') throw new ApiError('access_denied');
  const chosen = person.organizations.filter(({ id }) => fields[organizationField(id)] !== undefined);
  if (chosen.length === 0 && mustChoose(asked, person.organizations))
    return sendConsentPage(parts, exchange.reply, {
      ...asking,
      person,
      problem: 'Choose at least one organization.',
    });
  const organizationIds = reachOf(asked, { organizationIds: chosen.map(({ id }) => id) });
  return redirect(exchange, await allow(environment, asked, { signedIn: person.signedIn, organizationIds }));
}

function subjectOf(continuation: string, shown: string): FormSubject {
  return ['consent', continuation, shown];
}

/** Of everything that the page shows of a client's request. */
function digestOfShown(asked: AuthorizationRequest, { wordsFor }: KnownScopes): string {
  const { client, scopes, audience, redirectUri } = asked;
  const words = scopes.map(wordsFor);
  return sha256Hex(JSON.stringify([client.id, client.name, scopes, words, audience, redirectUri]));
}
