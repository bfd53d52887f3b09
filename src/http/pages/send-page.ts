import type { FastifyReply } from 'fastify';
import type { Html } from './html.ts';

export interface SentPage {
  page: Html;
  status?: number;
  /** What it may do beyond showing itself: sources for directives of its Content-Security-Policy. */
  permissions?: Readonly<Record<string, string>>;
}

/** Sends a page with the headers that keep it to itself: no script, no frame, nothing from another origin. */
export function sendPage(
  reply: FastifyReply,
  { page, status = 200, permissions = {} }: SentPage,
): FastifyReply {
  const policy = { ...strictPolicy, ...permissions };
  const directives = Object.entries(policy).map(([directive, sources]) => `${directive} ${sources}`);
  return reply
    .status(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': directives.join('; '),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    })
    .send(page.text);
}

const strictPolicy = {
  'default-src': "'none'",
  'style-src': "'self'",
  'img-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};
