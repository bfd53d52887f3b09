import { createProductCommand, listCommand, updateProductCommand } from '../../../contracts/head/commands.ts';
import {
  changeProduct,
  createProduct,
  deleteProduct,
  listProducts,
  readProduct,
} from '../../../products/products.ts';
import { tellProduct } from '../../../products/tell-product.ts';
import type { OperationHandlers } from '../version-app.ts';

export const productHandlers: OperationHandlers = {
  async 'products:list'({ scene, request, token }) {
    const { page, totalCount } = await listProducts(scene, token.organizationIds, listCommand(request));
    return {
      status: 200,
      body: { items: page.items.map(tellProduct), pagination: { next_cursor: page.next } },
      extras: { totalCount },
    };
  },

  async 'products:create'({ scene, request, token }) {
    const { organizationId, ...product } = createProductCommand(request);
    const created = await createProduct(scene, token.organizationIds, { organizationId, product });
    return { status: 201, body: tellProduct(created) };
  },

  async 'products:read'({ scene, request, token }) {
    const product = await readProduct(scene, token.organizationIds, request.params.id ?? '');
    return { status: 200, body: tellProduct(product) };
  },

  async 'products:update'({ scene, request, token }) {
    const product = await changeProduct(scene, token.organizationIds, updateProductCommand(request));
    return { status: 200, body: tellProduct(product) };
  },

  async 'products:delete'({ scene, request, token }) {
    await deleteProduct(scene, token.organizationIds, request.params.id ?? '');
    return { status: 204, body: null };
  },
};
