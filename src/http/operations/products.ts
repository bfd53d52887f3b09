import { createProductCommand, listCommand, updateProductCommand } from '../../contracts/head/commands.ts';
import {
  changeProduct,
  createProduct,
  deleteProduct,
  listProducts,
  readProduct,
} from '../../products/products.ts';
import type { Product } from '../../products/types.ts';
import type { OperationHandlers } from '../version-app.ts';

export const productHandlers: OperationHandlers = {
  async 'products:list'({ scene, request, token }) {
    const { page, totalCount } = await listProducts(scene, token.organizationIds, listCommand(request));
    return {
      status: 200,
      body: { items: page.items.map(productBody), pagination: { next_cursor: page.next } },
      extras: { totalCount },
    };
  },

  async 'products:create'({ scene, request, token }) {
    const { organizationId, ...product } = createProductCommand(request);
    const created = await createProduct(scene, token.organizationIds, { organizationId, product });
    return { status: 201, body: productBody(created) };
  },

  async 'products:read'({ scene, request, token }) {
    const product = await readProduct(scene, token.organizationIds, request.params.id ?? '');
    return { status: 200, body: productBody(product) };
  },

  async 'products:update'({ scene, request, token }) {
    const product = await changeProduct(scene, token.organizationIds, updateProductCommand(request));
    return { status: 200, body: productBody(product) };
  },

  async 'products:delete'({ scene, request, token }) {
    await deleteProduct(scene, token.organizationIds, request.params.id ?? '');
    return { status: 204, body: null };
  },
};

/** A product as Next tells it. */
export function productBody(product: Product) {
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
