import { at } from '@dateline/versions';

export const limitMetadataKeys = at('products:**')
  .field('metadata')
  .changed({
    name: 'limitMetadataKeys',
    summary: 'metadata takes at most 50 keys.',
    why: 'Products with thousands of keys made lists slow for all clients.',
    upgradeNote: 'Send at most 50 keys. Products that have more keep them.',
    examples: [
      {
        before: { ruleOf: 'POST /v1/products/', field: 'metadata', schema: { type: 'object' } },
        after: {
          ruleOf: 'POST /v1/products/',
          field: 'metadata',
          schema: { type: 'object', maxProperties: 50 },
        },
      },
    ],
  });
