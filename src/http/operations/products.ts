import { createProductCommand, listCommand, updateProductCommand } from '../../contracts/head/commands.ts';
import type { Environment } from '../../environments/environment.ts';
import {
  changeProduct,
  createProduct,
  deleteProduct,
  listProducts,
  readProduct,
} from '../../products/products.ts';
import type { Product } from '../../products/types.ts';
import type { OperationHandlers } from '../version-app.ts';

export function productHandlers(environment: Environment): OperationHandlers {
  return {
    async 'products:list'({ request, token }) {
      const { page, totalCount } = await listProducts(
        environment,
        token.organizationIds,
        listCommand(request),
      );
      return {
        status: 200,
        body: { items: page.items.map(productBody), pagination: { next_cursor: page.next } },
        extras: { totalCount },
      };
    },

    async 'products:create'({ request, token }) {
      const { organizationId, ...product } = createProductCommand(request);
      const created = await createProduct(environment, token.organizationIds, { organizationId, product });
      return { status: 201, body: productBody(created) };
    },

    async 'products:read'({ request, token }) {
      const product = await readProduct(environment, token.organizationIds, request.params.id ?? '');
      return { status: 200, body: productBody(product) };
    },

    async 'products:update'({ request, token }) {
      const product = await changeProduct(environment, token.organizationIds, updateProductCommand(request));
      return { status: 200, body: productBody(product) };
    },

    async 'products:delete'({ request, token }) {
      await deleteProduct(environment, token.organizationIds, request.params.id ?? '');
      return { status: 204, body: null };
    },
  };
}

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
