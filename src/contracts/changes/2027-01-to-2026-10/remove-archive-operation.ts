import { operation } from '@dateline/versions';

export const removeArchiveOperation = operation('products:archive').removed({
  as: 'products:update',
  upgrade: ({ command }) => ({ command: { ...command, archive: true } }),
  name: 'removeArchiveOperation',
  summary: 'POST /v1/products/{id}/archive is gone.',
  why: 'Archiving is one of the values of visibility, and one way to set it is enough.',
  upgradeNote: 'Send PATCH /v1/products/{id} with "visibility": "archived" instead.',
  examples: [
    {
      before: { request: 'POST /v1/products/{id}/archive' },
      after: { request: 'PATCH /v1/products/{id}', body: { visibility: 'archived' } },
    },
  ],
});
