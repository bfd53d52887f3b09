import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../errors/api-error.ts';

/** The bearer token of a request (RFC 6750 §2.1), or null without one. */
export function bearerValue(request: Pick<FastifyRequest, 'headers'>): string | null {
  return bearerIn(request.headers.authorization);
}

/** The same from the Authorization header alone. */
export function bearerIn(authorization: string | undefined): string | null {
  const match = /^Bearer +([A-Za-z0-9_\-.~+/]+=*)$/i.exec(authorization ?? '');
  return match?.[1] ?? null;
}

export function unauthorized(realm: string, sent: string | null): ApiError {
  return new ApiError('unauthorized', { headers: challenge(realm, sent) });
}

/** The same refusal with OAuth's own code. */
export function invalidToken(realm: string, sent: string | null): ApiError {
  return new ApiError('invalid_token', { headers: challenge(realm, sent) });
}

/** RFC 6750 §3: the challenge names `invalid_token` only if a token was sent. */
function challenge(realm: string, sent: string | null): Record<string, string> {
  const error = sent === null ? '' : ', error="invalid_token"';
  return { 'www-authenticate': `Bearer realm="${realm}"${error}` };
}
