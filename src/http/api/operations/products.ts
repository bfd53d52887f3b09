import type { RequestTo } from '../../../contracts/head/operation-types.ts';
import type { productOperations } from '../../../contracts/head/products.ts';
import { allMapped } from '../../../kernel/presence.ts';
import { productBody } from '../../../products/product-body.ts';
import {
  changeProduct,
  createProduct,
  deleteProduct,
  listProducts,
  readProduct,
} from '../../../products/products.ts';
import type { NewProduct, ProductChanges } from '../../../products/types.ts';
import { pageBody } from '../../app/paging.ts';
import type { HandlersOf } from '../handler.ts';
import { listIn } from '../read-list.ts';

export const productHandlers: HandlersOf<typeof productOperations> = {
  async 'products:list'({ context, request, token }) {
    const { organization_id: organizationId = null } = request.query;
    const listed = await listProducts(context, token.organizationIds, { organizationId, ...listIn(request) });
    return {
      status: 200,
      body: pageBody(listed.page, productBody),
      extras: { totalCount: listed.totalCount },
    };
  },

  async 'products:create'({ context, request: { body }, token }) {
    const { organization_id: organizationId = null } = body;
    const product = newProduct(body);
    const created = await createProduct(context, token.organizationIds, { organizationId, product });
    return { status: 201, body: productBody(created) };
  },

  async 'products:read'({ context, request, token }) {
    const product = await readProduct(context, token.organizationIds, request.params.id);
    return { status: 200, body: productBody(product) };
  },

  async 'products:update'({ context, request, token }) {
    const { id } = request.params;
    const changes = productChanges(request);
    const product = await changeProduct(context, token.organizationIds, { id, changes });
    return { status: 200, body: productBody(product) };
  },

  async 'products:delete'({ context, request, token }) {
    await deleteProduct(context, token.organizationIds, request.params.id);
    return { status: 204, body: null };
  },
};

function newProduct(body: RequestTo<'products:create'>['body']): NewProduct {
  const { organization_id: _chosenApart, name, description, billing, ...others } = body;
  const { visibility, prices, metadata, ...rest } = others;
  allMapped(rest);
  return {
    name,
    description: description ?? null,
    billing,
    visibility: visibility ?? 'public',
    prices,
    metadata: metadata ?? {},
  };
}

function productChanges({ body, command }: RequestTo<'products:update'>): ProductChanges {
  const { name, description, visibility, prices, metadata, ...rest } = body;
  const { archive, unarchive, setPrimaryPrice, ...restOfCommand } = command;
  allMapped(rest);
  allMapped(restOfCommand);
  return { name, description, visibility, prices, metadata, archive, unarchive, setPrimaryPrice };
}
