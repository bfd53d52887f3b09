import type { Change, Json } from '@dateline/versions';
import { onEveryProduct } from '../on-every-product.ts';

export const addMetadata: Change = {
  name: 'addMetadata',
  kind: 'added',
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
  touches: ['products:**.metadata', 'product.**.metadata'],
  ...onEveryProduct(dropMetadata, [
    'products:create',
    'products:read',
    'products:update',
    'products:archive',
  ]),
};

function dropMetadata({ metadata: _metadata, ...product }: Json): Json {
  return product;
}
