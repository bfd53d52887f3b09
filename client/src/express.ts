import { type BearerRules, type Caller, checkBearer } from './core/check-bearer.ts';

export type { BearerRules, Caller } from './core/check-bearer.ts';
export type { ActiveTokenFacts, Introspect, IntrospectionFacts } from './core/introspection.ts';

/** What is used of Express, so that its types are not needed. */
interface ExpressRequest {
  headers: { authorization?: string | undefined };
}
interface ExpressResponse {
  status(code: number): ExpressResponse;
  set(headers: Record<string, string>): ExpressResponse;
  json(body: unknown): unknown;
  headersSent: boolean;
}

const callers = new WeakMap<object, Caller>();

/** Middleware that lets only bearers of a good token through; `callerOf(request)` says who it is. */
export function requireToken(rules: BearerRules) {
  return (request: ExpressRequest, response: ExpressResponse, next: (error?: unknown) => void): void => {
    checkBearer(request.headers.authorization, rules)
      .then((check) => {
        // Something else has answered meanwhile, such as a time limit.
        if (response.headersSent) return;
        if ('refusal' in check) {
          const { status, headers, body } = check.refusal;
          response.status(status).set(headers).json(body);
          return;
        }
        callers.set(request, check.caller);
        next();
      })
      .catch(next);
  };
}

/** Who has made this request. Throws on a route without `requireToken`, which would otherwise be open. */
export function callerOf(request: object): Caller {
  const caller = callers.get(request);
  if (!caller) throw new Error('callerOf needs requireToken before it on this route');
  return caller;
}
