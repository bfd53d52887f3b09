import { event, operation, together } from '@dateline/versions';

export const addProductDeletion = together(
  [operation('products:delete').added(), event('product.deleted').added()],
  {
    name: 'addProductDeletion',
    summary: 'DELETE /v1/products/{id} deletes a product and publishes the event product.deleted.',
    why: 'Archiving keeps a product; sometimes it has to go.',
    upgradeNote: 'Nothing to do. Subscribe to product.deleted if you keep copies.',
    examples: [
      { before: null, after: { request: 'DELETE /v1/products/{id}' } },
      { before: null, after: { event: 'product.deleted', data: { name: 'Support plan' } } },
    ],
  },
);
