import type { FastifyReply } from 'fastify';
import { layout, type Page, type Site } from '../site/pages/layout.ts';
import { type PageRules, sendPage } from '../site/pages/send-page.ts';

/** A page with a form of ours. Its address is told to ourselves alone, so that posts say where they come from. */
export const formRules: PageRules = {
  permissions: { 'form-action': "'self'" },
  headers: { 'cache-control': 'no-store', 'referrer-policy': 'same-origin' },
};

/**
 * The same where the answer to the form may send the browser to a client. Browsers hold every redirect after a post
 * against `form-action`, also those that the client makes, and these nobody can list. A client that has opened a window
 * for this hears from it only as long as the two know each other.
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
