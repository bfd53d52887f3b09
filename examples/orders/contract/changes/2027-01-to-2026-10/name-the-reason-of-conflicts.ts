import type { Change } from '@dateline/versions';

export const nameTheReasonOfConflicts: Change = {
  name: 'nameTheReasonOfConflicts',
  kind: 'changed',
  summary: 'Cancelling an order twice answers with the code already_cancelled, and not with conflict.',
  why: 'There may be other conflicts one day.',
  upgradeNote: 'Look for already_cancelled where you looked for conflict.',
  examples: [
    {
      before: { answerTo: 'POST /orders/{id}/cancel', status: 409, body: { error: 'conflict' } },
      after: { answerTo: 'POST /orders/{id}/cancel', status: 409, body: { code: 'already_cancelled' } },
    },
  ],
  touches: ['orders:cancel.errors.409'],
  downgradeError: (error) => (error.code === 'already_cancelled' ? { ...error, code: 'conflict' } : error),
};
