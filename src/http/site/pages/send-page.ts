import type { FastifyReply, FastifyRequest } from 'fastify';
import { encodingFor, sendEncoded } from '../send-cacheable.ts';
import type { Html } from './html.ts';

export interface SentPage extends PageRules {
  page: Html;
  status?: number;
}

export interface PageRules {
  /** Its additional permissions: sources for directives of its Content-Security-Policy; null leaves one out. */
  permissions?: Readonly<Record<string, string | null>>;
  headers?: Readonly<Record<string, string>>;
}

/** Sends a page with headers that isolate it: no script, no frame, nothing from another origin. */
export function sendPage(reply: FastifyReply, { page, status = 200, ...rules }: SentPage): FastifyReply {
  return reply.status(status).headers(pageHeaders(rules)).send(page.text);
}

/** A page that is the same for everybody, and long: compressed. See `sendEncoded` for those that must not be. */
export function sendOpenPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { page, status = 200, ...rules }: SentPage,
): Promise<FastifyReply> {
  reply.status(status).headers(pageHeaders(rules));
  return sendEncoded(reply, encodingFor(request, reply), page.text);
}

export function pageHeaders({ permissions, headers }: PageRules): Record<string, string> {
  const policy = Object.entries({ ...strictPolicy, ...permissions });
  const directives = policy.filter(([, sources]) => sources !== null);
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': directives.map(([directive, sources]) => `${directive} ${sources}`).join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    ...headers,
  };
}

const strictPolicy = {
  'default-src': "'none'",
  'style-src': "'self'",
  'img-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};
