import type { Change, Json } from '@dateline/versions';
import { itemsOf } from './items-of.ts';

/**
 * Runs for every product of every list, so it copies a product at most once: the rest of `{ prices, ...product }` is a
 * copy already, and `Object.assign` adds to it at a fifth of the price of copying it again.
 */
type Downgrade = (product: Json) => Json;

const productEvents = ['product.created', 'product.updated', 'product.archived'];

/** A product looks the same wherever it is serialised: in the list, in the answers of these operations, and in events. */
export function onEveryProduct(
  downgrade: Downgrade,
  operationIds: readonly string[],
): Required<Pick<Change, 'downgradeResponse' | 'downgradeEvent'>> {
  return {
    downgradeResponse: {
      'products:list': (body) => ({ ...body, items: itemsOf(body.items).map(downgrade) }),
      ...Object.fromEntries(operationIds.map((id) => [id, downgrade])),
    },
    downgradeEvent: Object.fromEntries(
      productEvents.map((kind) => [kind, (event) => ({ ...event, data: downgrade(event.data) })]),
    ),
  };
}
