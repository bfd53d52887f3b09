import { at } from '@dateline/versions';

export const addMetadata = at('products:**', 'product.**')
  .field('metadata')
  .added({
    name: 'addMetadata',
    summary: 'A product has metadata: strings of your own, by name.',
    why: 'Integrators keep their own keys beside a product.',
    upgradeNote: 'Nothing to do. Products made before have an empty metadata.',
    examples: [
      {
        before: { answerTo: 'GET /v1/products/{id}', status: 200, body: { name: 'Support plan' } },
        after: {
          answerTo: 'GET /v1/products/{id}',
          status: 200,
          body: { name: 'Support plan', metadata: { tier: 'gold' } },
        },
      },
    ],
  });
