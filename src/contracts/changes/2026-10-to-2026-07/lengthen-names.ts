import type { Change } from '../../../versions/change.ts';

export const lengthenNames: Change = {
  name: 'lengthenNames',
  says: 'The name of a product needs at least 3 characters; before, 1 would do.',
  why: 'Shorter names could not be told apart on invoices.',
  upgradeNote: 'Send names of 3 characters or more. Products with shorter ones keep them.',
  touches: ['products:**.name.minLength'],
};
