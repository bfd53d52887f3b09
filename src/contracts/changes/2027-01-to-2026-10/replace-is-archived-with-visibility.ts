import type { Change, Json, UpgradableRequest } from '@dateline/versions';
import { onEveryProduct } from '../on-every-product.ts';

export const replaceIsArchivedWithVisibility: Change = {
  name: 'replaceIsArchivedWithVisibility',
  kind: 'changed',
  summary: 'A product has visibility (public, private, archived) instead of is_archived.',
  why: 'A product that is not for sale to everybody need not be archived.',
  upgradeNote: 'Read "visibility": "archived" where you read "is_archived": true, and write it the same way.',
  examples: [
    {
      before: { request: 'PATCH /v1/products/{id}', body: { is_archived: true } },
      after: { request: 'PATCH /v1/products/{id}', body: { visibility: 'archived' } },
    },
    {
      before: {
        answerTo: 'GET /v1/products/{id}',
        status: 200,
        body: { name: 'Support plan', is_archived: false },
      },
      after: {
        answerTo: 'GET /v1/products/{id}',
        status: 200,
        body: { name: 'Support plan', visibility: 'private' },
      },
    },
  ],
  touches: [
    'products:**.is_archived',
    'products:**.visibility',
    'products:**.required',
    'product.**.is_archived',
    'product.**.visibility',
    'product.**.required',
  ],
  upgradeRequest: { 'products:update': upgradeIsArchived },
  ...onEveryProduct(downgradeVisibility, ['products:create', 'products:read', 'products:update']),
};

/** `is_archived: false` brings back what is archived, and leaves a private product private. */
function upgradeIsArchived(request: UpgradableRequest): UpgradableRequest {
  const { is_archived: isArchived, ...body } = request.body;
  if (isArchived === undefined) return request;
  return {
    ...request,
    body,
    command: { ...request.command, ...(isArchived ? { archive: true } : { unarchive: true }) },
  };
}

function downgradeVisibility({ visibility, ...product }: Json): Json {
  return Object.assign(product, { is_archived: visibility === 'archived' });
}
