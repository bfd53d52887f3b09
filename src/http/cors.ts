import type { IncomingMessage, ServerResponse } from 'node:http';
import { methods } from '../versions/contract.ts';

// Any site may call the public API with a token that it has; cookies are never sent along.
const EXPOSED = 'Service-Version, Deprecation, Sunset, Link, X-Request-Id, Retry-After, WWW-Authenticate';
const ALLOWED_HEADERS = 'Authorization, Content-Type, Service-Version, Idempotency-Key';
const PREFLIGHT_SECONDS = '86400';

/** Opens the public API to scripts of other origins. Answers a preflight itself, and says so. */
export function handleCors(request: IncomingMessage, response: ServerResponse): 'answered' | 'go on' {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-expose-headers', EXPOSED);
  if (request.method !== 'OPTIONS') return 'go on';
  response.setHeader('access-control-allow-methods', methods.join(', '));
  response.setHeader('access-control-allow-headers', ALLOWED_HEADERS);
  response.setHeader('access-control-max-age', PREFLIGHT_SECONDS);
  response.setHeader('allow', [...methods, 'HEAD', 'OPTIONS'].join(', '));
  response.writeHead(204).end();
  return 'answered';
}
