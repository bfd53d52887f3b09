import type { CompiledVersion } from '@dateline/versions';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { authorizeOperations } from '../../contracts/head/authorize.ts';
import { isForPeople } from '../../contracts/head/operation-parts.ts';
import { answerRequest } from '../../oauth/authorize/answer-request.ts';
import { nextStep, reachOf } from '../../oauth/authorize/next-step.ts';
import { findPerson } from '../../oauth/authorize/person.ts';
import type { App } from '../app/create-app.ts';
import { type AccountParts, fieldsOf } from './account-parts.ts';
import { type Asking, allowOrDeny, requireConsentForm, sendConsentPage } from './consent-form.ts';
import { AUTHORIZE, CONSENT, queryOf, readContinuation } from './continuation.ts';
import { type Exchange, forClient, redirect } from './for-client.ts';
import { sendSignInPage } from './sign-in-routes.ts';

/**
 * Where a client sends a browser, to get it back with a code (RFC 6749 §4.1). Which methods it takes is up to the contract of
 * the version; what happens then is the same in all.
 */
export function authorizeRoutes(app: App, version: CompiledVersion, parts: AccountParts): void {
  const handlers = authorizeHandlers(parts);
  for (const { operation, headOperationId } of version.operations.values()) {
    if (!isForPeople(operation)) continue;
    const handler = handlers[headOperationId as keyof typeof authorizeOperations];
    const { method, path: url, body } = operation;
    const config = body ? { bodyType: body.mediaType, bodyNeeded: true } : {};
    // No HEAD: answering it would issue a code.
    app.route({ method, url, exposeHeadRoute: false, config, handler });
  }
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
