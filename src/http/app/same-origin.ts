import type { FastifyRequest } from 'fastify';
import { urlOf } from '../../kernel/url.ts';

/** True if the browser's headers name our origin, or the client sends none of them. */
export function isSameOrigin({ headers }: Pick<FastifyRequest, 'headers'>, issuer: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  if (origin === undefined) return true;
  const sent = urlOf(origin);
  return sent !== null && (sent.origin === new URL(issuer).origin || sent.host === host);
}
