import type { Change, Json } from '../../../versions/change.ts';

export const addMetadata: Change = {
  name: 'addMetadata',
  says: 'A product has metadata: strings of your own, by name.',
  why: 'Integrators keep their own keys beside a product.',
  upgradeNote: 'Nothing to do. Products made before have an empty metadata.',
  touches: ['products:**.metadata', 'product.**.metadata'],
  downgradeResponse: {
    'products:list': (body) => ({ ...body, items: (body.items as Json[]).map(dropMetadata) }),
    'products:create': dropMetadata,
    'products:read': dropMetadata,
    'products:update': dropMetadata,
    'products:archive': dropMetadata,
  },
  downgradeEvent: Object.fromEntries(
    ['product.created', 'product.updated', 'product.archived'].map((kind) => [
      kind,
      (event) => ({ ...event, data: dropMetadata(event.data) }),
    ]),
  ),
};

function dropMetadata({ metadata: _metadata, ...product }: Json): Json {
  return product;
}
