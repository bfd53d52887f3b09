import type { FastifyReply } from 'fastify';
import { answerRequest } from '../../oauth/authorize/answer-request.ts';
import { nextStep, reachOf } from '../../oauth/authorize/next-step.ts';
import { findPerson } from '../../oauth/authorize/person.ts';
import type { App } from '../app/create-app.ts';
import { type AccountParts, fieldsOf } from './account-parts.ts';
import { type Asking, allowOrDeny, sendConsentPage } from './consent-form.ts';
import { AUTHORIZE, CONSENT, queryOf, readContinuation } from './continuation.ts';
import { type Exchange, forClient, redirect } from './for-client.ts';
import { sendSignInPage } from './sign-in-routes.ts';

/** A client sends a browser here, and gets it back with a code (RFC 6749 §4.1). */
export function authorizeRoutes(app: App, parts: AccountParts): void {
  const { environment, visits } = parts;

  // No HEAD: answering it would issue a code.
  app.get(AUTHORIZE, { exposeHeadRoute: false }, async (request, reply) => {
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
  });

  app.post(CONSENT, async (request, reply) => {
    const continuation = readContinuation(fieldsOf(request).continue);
    const exchange = { request, reply };
    const visit = await visits.of(request, reply);
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
      const email = asked.loginHint ?? visit.signedIn?.user.email;
      return sendSignInPage(parts, exchange.reply, { visit, continuation, email });
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
