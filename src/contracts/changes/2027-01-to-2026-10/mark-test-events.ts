import { at } from '@dateline/versions';

export const markTestEvents = at('**')
  .field('test')
  .added({
    name: 'markTestEvents',
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
  });
