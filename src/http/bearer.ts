import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error.ts';

/** The bearer token of a request (RFC 6750 §2.1), or null without one. */
export function bearerValue(request: FastifyRequest): string | null {
  const match = /^Bearer +([A-Za-z0-9_\-.~+/]+=*)$/i.exec(request.headers.authorization ?? '');
  return match?.[1] ?? null;
}

/** RFC 6750 §3: the challenge says `invalid_token` only to somebody who sent one. */
export function unauthorized(realm: string, sent: string | null): ApiError {
  const challenge = `Bearer realm="${realm}"${sent === null ? '' : ', error="invalid_token"'}`;
  return new ApiError('unauthorized', { headers: { 'www-authenticate': challenge } });
}
