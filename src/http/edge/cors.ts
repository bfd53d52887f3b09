import type { IncomingMessage, ServerResponse } from 'node:http';
import { methods } from '@dateline/versions';
import type { IsApiPath } from './api-paths.ts';

// Any site may call the public API with a token; cookies are never sent along.
const EXPOSED = 'Service-Version, Deprecation, Sunset, Link, X-Request-Id, Retry-After, WWW-Authenticate';
const ALLOWED_HEADERS = 'Authorization, Content-Type, Service-Version, Idempotency-Key';
const PREFLIGHT_SECONDS = '86400';

/** A page for people, the same in every version. Scripts of other origins must not read it (RFC 9700 §2.6). */
export function isPage(url: string): boolean {
  return url.startsWith(AUTHORIZE) && /^\/?(?:\?|$)/.test(url.slice(AUTHORIZE.length));
}

const AUTHORIZE = '/v1/oauth2/authorize';

/** Lets scripts of other origins read an answer of the public API or about its versions, errors included. */
export function allowScripts(url: string, response: ServerResponse, isApiPath: IsApiPath): void {
  if (!isForScripts(url, isApiPath)) return;
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-expose-headers', EXPOSED);
}

function isForScripts(url: string, isApiPath: IsApiPath): boolean {
  return isApiPath(url) ? !isPage(url) : /^\/(?:\.well-known\/|versions(?:[/?]|$))/.test(url);
}

/**
 * Whether an OPTIONS request is answered: for a path that exists, and for any preflight, since otherwise a script could
 * not read the 404 of the request itself.
 */
export function answersOptions({ headers }: IncomingMessage, allowed: readonly string[]): boolean {
  return allowed.length > 0 || headers['access-control-request-method'] !== undefined;
}

/** What an address takes; and for scripts, where they may call it, what they may send. */
export function optionsHeaders(response: ServerResponse, allowed: readonly string[]): Record<string, string> {
  const taken = [...allowed, 'OPTIONS'].join(', ');
  if (!response.hasHeader('access-control-allow-origin')) return { allow: taken };
  return {
    allow: taken,
    'access-control-allow-methods': allowed.length > 0 ? allowed.join(', ') : methods.join(', '),
    'access-control-allow-headers': ALLOWED_HEADERS,
    'access-control-max-age': PREFLIGHT_SECONDS,
  };
}
