import type { Change } from '../../../versions/change.ts';

export const limitMetadataKeys: Change = {
  name: 'limitMetadataKeys',
  says: 'metadata takes at most 50 keys.',
  why: 'Products with thousands of keys made lists slow for everybody.',
  upgradeNote: 'Send at most 50 keys. Products that have more keep them.',
  touches: ['products:**.metadata.maxProperties'],
};
