import type { IncomingMessage, ServerResponse } from 'node:http';
import { methods } from '@dateline/versions';

// Any site may call the public API with a token; cookies are never sent along.
const EXPOSED = 'Service-Version, Deprecation, Sunset, Link, X-Request-Id, Retry-After, WWW-Authenticate';
const ALLOWED_HEADERS = 'Authorization, Content-Type, Service-Version, Idempotency-Key';
const PREFLIGHT_SECONDS = '86400';

/** A page for people, the same in every version. Scripts of other origins must not read it (RFC 9700 §2.6). */
export function isPage(url: string): boolean {
  return /^\/v1\/oauth2\/authorize\/?(?:\?|$)/.test(url);
}

/** Lets scripts of other origins read an answer of the public API, errors included. */
export function allowScripts(url: string, response: ServerResponse): void {
  if (!isForScripts(url)) return;
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-expose-headers', EXPOSED);
}

function isForScripts(url: string): boolean {
  return url.startsWith('/v1/') ? !isPage(url) : url.startsWith('/.well-known/');
}

/** Answers a preflight; returns whether it was one. */
export function answerPreflight(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.method !== 'OPTIONS' || !isForScripts(request.url ?? '/')) return false;
  response.setHeader('access-control-allow-methods', methods.join(', '));
  response.setHeader('access-control-allow-headers', ALLOWED_HEADERS);
  response.setHeader('access-control-max-age', PREFLIGHT_SECONDS);
  response.setHeader('allow', [...methods, 'HEAD', 'OPTIONS'].join(', '));
  response.writeHead(204).end();
  return true;
}
