import type { Change } from '../../../versions/change.ts';

export const answerGoneForDeletedProducts: Change = {
  name: 'answerGoneForDeletedProducts',
  says: 'A deleted product answers 410 gone instead of 404 not_found.',
  why: 'Who holds an old id can tell a deleted product from a mistyped one.',
  upgradeNote: 'Treat 410 like 404, or forget the id for good.',
  touches: ['products:read.errors.410', 'products:update.errors.410'],
  downgradeError: (error) =>
    error.code === 'gone'
      ? { code: 'not_found', status: 404, detail: 'There is nothing at this address.' }
      : error,
};
