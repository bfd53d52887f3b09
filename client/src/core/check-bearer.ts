import { ApiError, ConnectionError } from './errors.ts';
import type { ActiveTokenFacts, Introspect } from './introspection.ts';

export interface BearerRules {
  /** `(token) => client.oauth.introspect({ token })`, or that of an introspection cache. */
  introspect: Introspect;
  /** The scopes that a token must carry, each of them. */
  scopes?: readonly string[] | undefined;
  /** Tokens for other audiences are refused; without it, every token that the service lets you introspect passes. */
  audience?: string | undefined;
  realm?: string | undefined;
}

/** The caller that a token authenticates. */
export interface Caller {
  token: ActiveTokenFacts;
  scopes: readonly string[];
}

export interface Refusal {
  status: 400 | 401 | 403 | 503;
  headers: Record<string, string>;
  body: { error: string; error_description: string };
}

export type BearerCheck = { caller: Caller } | { refusal: Refusal };

/** RFC 6750: the caller that the `Authorization` header authenticates, or the refusal to send. */
export async function checkBearer(
  authorization: string | undefined,
  rules: BearerRules,
): Promise<BearerCheck> {
  if (authorization === undefined || !/^Bearer(?: |$)/i.test(authorization)) {
    // RFC 6750 §3.1: without a bearer token, the challenge carries no error.
    return { refusal: refuse(rules, 401, 'unauthorized', 'A bearer token is needed.', {}) };
  }
  const token = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(authorization)?.[1];
  if (token === undefined) {
    return {
      refusal: challenge(rules, 400, 'invalid_request', 'The Authorization header holds no bearer token.'),
    };
  }
  try {
    return judge(await rules.introspect(token), rules);
  } catch (error) {
    if (!isPassing(error)) {
      // Such as a rotated secret or a removed version: the resource server's own fault, which its operator must see.
      // Wrapped, because frameworks take the status of an error for their own answer.
      throw new Error('The token could not be introspected.', { cause: error });
    }
    // A token that cannot be looked up is refused, but not as invalid.
    const text = 'The token cannot be checked at the moment.';
    return {
      refusal: { ...refuse(rules, 503, 'temporarily_unavailable', text), headers: { 'retry-after': '1' } },
    };
  }
}

/** True of an error that may be over in a moment. */
function isPassing(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 429 || error.status >= 500;
  return error instanceof ConnectionError;
}

function judge(facts: Awaited<ReturnType<Introspect>>, rules: BearerRules): BearerCheck {
  const isMeant = rules.audience === undefined || (facts.active && facts.aud === rules.audience);
  // A refresh token is for the token endpoint alone.
  if (!facts.active || facts.token_type !== 'access_token' || !isMeant) {
    return { refusal: challenge(rules, 401, 'invalid_token', 'The token is not good here.') };
  }
  const scopes = facts.scope.split(' ').filter(Boolean);
  const needed = rules.scopes ?? [];
  if (!needed.every((scope) => scopes.includes(scope))) {
    const text = 'The token does not carry the scope that this needs.';
    return { refusal: challenge(rules, 403, 'insufficient_scope', text, { scope: needed.join(' ') }) };
  }
  return { caller: { token: facts, scopes } };
}

function challenge(
  rules: BearerRules,
  status: Refusal['status'],
  error: string,
  text: string,
  more: Record<string, string> = {},
): Refusal {
  return refuse(rules, status, error, text, { error, error_description: text, ...more });
}

function refuse(
  { realm }: BearerRules,
  status: Refusal['status'],
  error: string,
  text: string,
  attributes: Record<string, string> = {},
): Refusal {
  const all = { ...(realm === undefined ? {} : { realm }), ...attributes };
  const written = Object.entries(all).map(
    ([name, value]) => `${name}="${value.replaceAll(/["\\]/g, '\\$&')}"`,
  );
  return {
    status,
    headers: {
      'www-authenticate': ['Bearer', written.join(', ')].filter(Boolean).join(' '),
      'cache-control': 'no-store',
    },
    body: { error, error_description: text },
  };
}
