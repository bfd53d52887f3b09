import type { Change, Json } from '@dateline/versions';
import { itemsOf } from './items-of.ts';

type Downgrade = (endpoint: Json) => Json;

/** Downgrades a webhook endpoint wherever one is answered. */
export function onEveryEndpoint(downgrade: Downgrade): NonNullable<Change['downgradeResponse']> {
  return {
    'webhooks:create_endpoint': downgrade,
    'webhooks:read_endpoint': downgrade,
    'webhooks:update_endpoint': downgrade,
    'webhooks:rotate_secret': downgrade,
    'webhooks:list_endpoints': ({ items, ...body }) => ({ ...body, items: itemsOf(items).map(downgrade) }),
  };
}
