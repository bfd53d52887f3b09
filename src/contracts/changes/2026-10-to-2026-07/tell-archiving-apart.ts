import type { Change } from '../../../versions/change.ts';

export const tellArchivingApart: Change = {
  name: 'tellArchivingApart',
  says: 'Archiving a product is told by the event product.archived instead of product.updated.',
  why: 'Most receivers only care about products that leave the shelf.',
  upgradeNote: 'Subscribe to product.archived as well.',
  touches: ['product.archived'],
  downgradeEvent: { 'product.archived': (event) => ({ ...event, kind: 'product.updated' }) },
};
