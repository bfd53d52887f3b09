import type { Change, UpgradableRequest } from '@dateline/versions';
import { itemsOf } from '../items-of.ts';

export const requireScopesToSubscribe: Change = {
  name: 'requireScopesToSubscribe',
  kind: 'changed',
  summary:
    'To subscribe a webhook endpoint to a kind of event, or to point it elsewhere, needs the scope to read what the kind carries, such as products:read for product.created.',
  why: 'Who may not read products must not have them sent.',
  upgradeNote:
    'Ask for the scopes of what you subscribe to; "*" needs all of them. GET /v1/webhooks/event-kinds lists them, and the answer 403 names what is missing.',
  examples: [
    {
      before: {
        answerTo: 'GET /v1/webhooks/event-kinds',
        status: 200,
        body: { items: [{ type: 'product.created' }] },
      },
      after: {
        answerTo: 'GET /v1/webhooks/event-kinds',
        status: 200,
        body: { items: [{ type: 'product.created', scopes: ['products:read'] }] },
      },
    },
  ],
  touches: [
    'product.**.scopes',
    'organization.**.scopes',
    'token.**.scopes',
    'grant.**.scopes',
    'client.**.scopes',
    'webhook_endpoint.**.scopes',
    'webhooks:list_event_kinds.**.scopes',
    'webhooks:list_event_kinds.**.required',
  ],
  upgradeRequest: {
    'webhooks:create_endpoint': withoutScopes,
    'webhooks:update_endpoint': withoutScopes,
  },
  downgradeResponse: {
    'webhooks:list_event_kinds': ({ items, ...body }) => ({
      ...body,
      items: itemsOf(items).map(({ scopes: _unasked, ...kind }) => kind),
    }),
  },
};

function withoutScopes(request: UpgradableRequest): UpgradableRequest {
  return { ...request, command: { ...request.command, withoutScopes: true } };
}
