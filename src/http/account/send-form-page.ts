import type { FastifyReply } from 'fastify';
import { layout, type Page, type Site } from '../site/pages/layout.ts';
import { type PageRules, sendPage } from '../site/pages/send-page.ts';

/** A page with a form of ours. Only our own origin gets its address as referrer, so that posts carry their origin. */
export const formRules: PageRules = {
  permissions: { 'form-action': "'self'" },
  headers: { 'cache-control': 'no-store', 'referrer-policy': 'same-origin' },
};

/**
 * The same where the answer to the form may redirect the browser to a client. Browsers check every redirect after a post
 * against `form-action`, also the client's own, and these cannot be listed. A client that has opened a window
 * for this gets messages from it only while the opener relation is kept.
 */
export const leadingAwayRules: PageRules = {
  permissions: { 'form-action': null },
  headers: { ...formRules.headers, 'cross-origin-opener-policy': 'unsafe-none' },
};

export function sendFormPage(
  reply: FastifyReply,
  site: Site,
  { page, status = 200, leadsAway }: { page: Page; status?: number; leadsAway: boolean },
): FastifyReply {
  const rules = leadsAway ? leadingAwayRules : formRules;
  return sendPage(reply, { page: layout(site, page), status, ...rules });
}
