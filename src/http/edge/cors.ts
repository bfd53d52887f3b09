import type { IncomingMessage } from 'node:http';
import { methods } from '@dateline/versions';
import type { IsApiPath } from '../../api/paths.ts';
import type { RequestContext } from './request-context.ts';

// Any site may call the public API with a token; cookies are never sent along.
const EXPOSED = 'Service-Version, Deprecation, Sunset, Link, X-Request-Id, Retry-After, WWW-Authenticate';
const ALLOWED_HEADERS = 'Authorization, Content-Type, Service-Version, Idempotency-Key';
const PREFLIGHT_SECONDS = '86400';

/** A page for people, the same in every version. Scripts of other origins must not read it (RFC 9700 §2.6). */
export function isPage(url: string): boolean {
  return url.startsWith(AUTHORIZE) && /^\/?(?:\?|$)/.test(url.slice(AUTHORIZE.length));
}

const AUTHORIZE = '/v1/oauth2/authorize';

/** Headers that let scripts of other origins read an answer. */
export const HEADERS_FOR_SCRIPTS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
};

/** The same where a contract declares headers of its own. */
export function exposing(names: readonly string[]): string {
  return [EXPOSED, ...names].join(', ');
}

/** True for the public API and for pages about its versions, errors included. */
export function isForScripts(url: string, isApiPath: IsApiPath): boolean {
  return isApiPath(url) ? !isPage(url) : /^\/(?:\.well-known\/|versions(?:[/?]|$))/.test(url);
}

/** True for a CORS preflight. It names no version: browsers do not send the script's headers with it. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/**
 * True for a path that exists, and for any preflight: otherwise a script could not read the 404 of the request itself.
 */
export function answersOptions(request: IncomingMessage, allowed: readonly string[]): boolean {
  return allowed.length > 0 || isPreflight(request);
}

/** The methods of a path; and if scripts may call it, the headers of a preflight's answer. */
export function optionsHeaders(
  { headers }: Pick<RequestContext, 'headers'>,
  allowed: readonly string[],
  declaredHeaders: readonly string[] = [],
): Record<string, string> {
  const taken = [...allowed, 'OPTIONS'].join(', ');
  if (headers['access-control-allow-origin'] === undefined) return { allow: taken };
  return {
    allow: taken,
    'access-control-allow-methods': allowed.length > 0 ? allowed.join(', ') : methods.join(', '),
    'access-control-allow-headers': [ALLOWED_HEADERS, ...declaredHeaders].join(', '),
    'access-control-max-age': PREFLIGHT_SECONDS,
  };
}
