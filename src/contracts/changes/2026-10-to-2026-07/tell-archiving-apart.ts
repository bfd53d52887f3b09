import type { Change } from '@dateline/versions';

export const tellArchivingApart: Change = {
  name: 'tellArchivingApart',
  kind: 'changed',
  summary: 'Archiving a product publishes the event product.archived instead of product.updated.',
  why: 'Most receivers only care about products that leave the shelf.',
  upgradeNote: 'Subscribe to product.archived as well.',
  examples: [
    {
      before: { event: 'product.updated', data: { name: 'Support plan', is_archived: true } },
      after: { event: 'product.archived', data: { name: 'Support plan', is_archived: true } },
    },
  ],
  touches: ['product.archived'],
  downgradeEvent: { 'product.archived': (event) => ({ ...event, kind: 'product.updated' }) },
};
