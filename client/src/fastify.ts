import type { FastifyReply, FastifyRequest } from 'fastify';
import { type BearerRules, type Caller, checkBearer } from './core/check-bearer.ts';

export type { BearerRules, Caller } from './core/check-bearer.ts';
export type { ActiveTokenFacts, Introspect, IntrospectionFacts } from './core/introspection.ts';

const callers = new WeakMap<FastifyRequest, Caller>();

/** An `onRequest` hook that lets only bearers of a good token through; `callerOf(request)` says who it is. */
export function requireToken(rules: BearerRules) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const check = await checkBearer(request.headers.authorization, rules);
    // Something else has answered meanwhile, such as a time limit.
    if (reply.sent) return reply;
    if ('refusal' in check) {
      const { status, headers, body } = check.refusal;
      return reply.code(status).headers(headers).send(body);
    }
    callers.set(request, check.caller);
    return undefined;
  };
}

/** Who has made this request. Throws on a route without `requireToken`, which would otherwise be open. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (!caller) throw new Error('callerOf needs requireToken as onRequest hook of this route');
  return caller;
}
