import type { Change, Json } from '../../../versions/change.ts';
import { onEveryProduct } from '../on-every-product.ts';

export const addUsageBilling: Change = {
  name: 'addUsageBilling',
  says: 'billing gains the value usage.',
  why: 'Products can be charged by what is used.',
  upgradeNote: 'Handle "usage" wherever you handle billing.',
  touches: ['products:**.billing', 'product.**.billing'],
  ...onEveryProduct(downgradeBilling, ['products:create', 'products:read', 'products:update']),
};

/** Older versions know usage as what it is most like: something that is charged again and again. */
function downgradeBilling(product: Json): Json {
  return product.billing === 'usage' ? { ...product, billing: 'recurring' } : product;
}
