import type { Change, Json } from '../../../versions/change.ts';

export const addUsageBilling: Change = {
  name: 'addUsageBilling',
  says: 'billing gains the value usage.',
  why: 'Products can be charged by what is used.',
  upgradeNote: 'Handle "usage" wherever you handle billing.',
  touches: ['products:**.billing', 'product.**.billing'],
  downgradeResponse: {
    'products:list': (body) => ({ ...body, items: (body.items as Json[]).map(downgradeBilling) }),
    'products:create': downgradeBilling,
    'products:read': downgradeBilling,
    'products:update': downgradeBilling,
  },
  downgradeEvent: Object.fromEntries(
    ['product.created', 'product.updated', 'product.archived'].map((kind) => [
      kind,
      (event) => ({ ...event, data: downgradeBilling(event.data) }),
    ]),
  ),
};

/** Older versions know usage as what it is most like: something that is charged again and again. */
function downgradeBilling(product: Json): Json {
  return product.billing === 'usage' ? { ...product, billing: 'recurring' } : product;
}
