import type { CompiledVersion } from '@dateline/versions';
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import type { authorizeOperations } from '../../contracts/head/authorize.ts';
import { isForPeople } from '../../contracts/head/operation-parts.ts';
import type { KnownScopes } from '../../environments/known-scopes.ts';
import { ApiError } from '../../errors/api-error.ts';
import { organizationsOf } from '../../identity/organizations.ts';
import { sha256Hex } from '../../kernel/digest.ts';
import { allow, answerRequest } from '../../oauth/authorize/answer-request.ts';
import type { AuthorizationRequest } from '../../oauth/authorize/authorization-request.ts';
import { mustChoose, mustSignInAgain, nextStep, reachOf } from '../../oauth/authorize/next-step.ts';
import { findPerson, type Person } from '../../oauth/authorize/person.ts';
import type { App } from '../app/create-app.ts';
import { type AccountParts, fieldsOf, type Visit } from './account-parts.ts';
import { AUTHORIZE, CONSENT, queryOf, readContinuation } from './continuation.ts';
import { type Exchange, forClient, redirect } from './for-client.ts';
import { consentPage, organizationField } from './pages/consent-page.ts';
import { type FormSubject, formToken, requireSameOriginForm } from './same-origin-form.ts';
import { sendFormPage } from './send-form-page.ts';
import { sendSignInPage, signOutForm } from './sign-in-routes.ts';

/** A request that a version takes there. */
export interface AuthorizeRoute {
  operation: keyof typeof authorizeOperations;
  method: string;
  url: string;
  config: FastifyContextConfig;
}

/** Which methods the authorization endpoint takes is up to the contract of the version; what happens then is the same in all. */
export function authorizeRoutesOf({ operations }: CompiledVersion): AuthorizeRoute[] {
  return [...operations.values()]
    .filter(({ operation }) => isForPeople(operation))
    .map(({ operation: { method, path: url, body }, headOperationId }) => ({
      operation: headOperationId as AuthorizeRoute['operation'],
      method,
      url,
      config: body ? { bodyType: body.mediaType, bodyNeeded: true } : {},
    }));
}

/** Where a client sends a browser, to get it back with a code (RFC 6749 §4.1). */
export function serveAuthorize(app: App, routes: readonly AuthorizeRoute[], parts: AccountParts): void {
  const handlers = authorizeHandlers(parts);
  // No HEAD: answering it would issue a code.
  for (const { operation, ...route } of routes)
    app.route({ ...route, exposeHeadRoute: false, handler: handlers[operation] });
}

function authorizeHandlers(parts: AccountParts): Record<keyof typeof authorizeOperations, Handler> {
  const { environment, visits } = parts;
  return {
    async 'oauth2:authorize'(request, reply) {
      const [, query = ''] = /\?(.*)/s.exec(request.raw.url ?? '') ?? [];
      const exchange = { request, reply };
      const visit = await visits.of(request, reply);
      return forClient(environment, { exchange, query }, async (asked) =>
        takeNextStep(parts, exchange, {
          asked,
          visit,
          continuation: readContinuation(`${AUTHORIZE}?${query}`),
        }),
      );
    },

    // Another site's form comes without our cookie (SameSite=Lax). The GET that follows has it.
    async 'oauth2:post_authorize'(request, reply) {
      const query = new URLSearchParams(fieldsOf(request) as Record<string, string>);
      return redirect({ request, reply }, `${AUTHORIZE}?${query}`);
    },
  };
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Where a person answers a client's request. */
export function consentRoutes(app: App, parts: AccountParts): void {
  const { environment, visits } = parts;
  app.post(CONSENT, async (request, reply) => {
    const exchange = { request, reply };
    const visit = await visits.of(request, reply);
    // Before the client's request is read: anyone can send one that is long.
    requireConsentForm(request, visit, environment.issuer);
    const continuation = readContinuation(fieldsOf(request).continue);
    return forClient(environment, { exchange, query: queryOf(continuation) ?? '' }, async (asked) =>
      allowOrDeny(parts, exchange, { asked, visit, continuation }),
    );
  });
}

async function takeNextStep(parts: AccountParts, exchange: Exchange, asking: Asking): Promise<FastifyReply> {
  const { environment } = parts;
  const { asked, visit, continuation } = asking;
  const person = visit.signedIn && (await findPerson(environment, asked, visit.signedIn));
  const step = nextStep(asked, person, environment.clock.now());
  switch (step.kind) {
    case 'sign in': {
      const { asSomebodyElse } = step;
      const email = asked.loginHint ?? (asSomebodyElse ? undefined : visit.signedIn?.user.email);
      return sendSignInPage(parts, exchange.reply, { visit, continuation, email, asSomebodyElse });
    }
    case 'ask':
      return sendConsentPage(parts, exchange.reply, { ...asking, person: step.person });
    case 'answer': {
      const { signedIn } = step.person;
      const organizationIds = reachOf(asked, step.consent);
      return redirect(exchange, await answerRequest(environment, asked, { signedIn, organizationIds }));
    }
    default:
      return step satisfies never;
  }
}

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
