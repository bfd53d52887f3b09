import { at } from '@dateline/versions';

export const lengthenNames = at('products:**')
  .field('name')
  .changed({
    name: 'lengthenNames',
    summary: 'The name of a product needs at least 3 characters; before, 1 would do.',
    why: 'Shorter names could not be distinguished on invoices.',
    upgradeNote: 'Send names of 3 characters or more. Products with shorter ones keep them.',
    examples: [
      {
        before: { request: 'PATCH /v1/products/{id}', body: { name: 'S1' } },
        after: { request: 'PATCH /v1/products/{id}', body: { name: 'Support 1' } },
      },
    ],
  });
