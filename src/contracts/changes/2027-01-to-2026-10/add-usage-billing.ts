import type { Change, Json } from '@dateline/versions';
import { onEveryProduct } from '../on-every-product.ts';

export const addUsageBilling: Change = {
  name: 'addUsageBilling',
  kind: 'added',
  summary: 'billing gains the value usage.',
  why: 'Products can be charged by what is used.',
  upgradeNote: 'Handle "usage" wherever you handle billing.',
  examples: [
    {
      before: {
        answerTo: 'GET /v1/products/{id}',
        status: 200,
        body: { name: 'Compute', billing: 'recurring' },
      },
      after: { answerTo: 'GET /v1/products/{id}', status: 200, body: { name: 'Compute', billing: 'usage' } },
    },
  ],
  touches: ['products:**.billing', 'product.**.billing'],
  ...onEveryProduct(downgradeBilling, ['products:create', 'products:read', 'products:update']),
};

/** Older versions know usage as what it is most like: something that is charged again and again. */
function downgradeBilling(product: Json): Json {
  return product.billing === 'usage' ? { ...product, billing: 'recurring' } : product;
}
