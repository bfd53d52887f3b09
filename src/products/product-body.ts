import type { Wire } from '../contracts/head/operation-parts.ts';
import type { Product as ProductSchema } from '../contracts/head/products.ts';
import type { Product } from './types.ts';

/** A product as Next serialises it, in answers and in events. */
export function productBody(product: Product): Wire<typeof ProductSchema> {
  return {
    id: product.id,
    organization_id: product.organizationId,
    name: product.name,
    description: product.description,
    billing: product.billing,
    visibility: product.visibility,
    prices: product.prices,
    metadata: product.metadata,
    created_at: product.createdAt.toISOString(),
    modified_at: product.modifiedAt.toISOString(),
  };
}
