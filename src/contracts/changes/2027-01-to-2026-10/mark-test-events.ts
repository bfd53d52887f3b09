import type { Change, Json } from '@dateline/versions';
import { itemsOf } from '../items-of.ts';

export const markTestEvents: Change = {
  name: 'markTestEvents',
  kind: 'added',
  summary:
    'An event that was ordered by POST /v1/webhooks/endpoints/{id}/test has "test": true, and so has its raw payload.',
  why: 'A receiver must not book an example as if it had happened.',
  upgradeNote: 'Nothing to do. Ignore payloads with "test": true where they would have effects.',
  examples: [
    {
      before: {
        answerTo: 'GET /v1/webhooks/events/{id}',
        status: 200,
        body: { type: 'product.created', state: 'delivered' },
      },
      after: {
        answerTo: 'GET /v1/webhooks/events/{id}',
        status: 200,
        body: { type: 'product.created', state: 'delivered', test: true },
      },
    },
  ],
  touches: [
    '**.properties.test',
    'webhooks:list_events.**.required',
    'webhooks:read_event.**.required',
    'webhooks:redeliver.**.required',
    'webhooks:test_endpoint.**.required',
  ],
  downgradeResponse: {
    'webhooks:list_events': ({ items, ...list }) => ({
      ...list,
      items: itemsOf(items).map(withoutTest),
    }),
    'webhooks:read_event': withoutTest,
    'webhooks:redeliver': withoutTest,
    'webhooks:test_endpoint': withoutTest,
  },
};

function withoutTest({ test: _, ...event }: Json): Json {
  return event;
}
