import type { Change } from '@dateline/versions';

export const answerGoneForDeletedProducts: Change = {
  name: 'answerGoneForDeletedProducts',
  kind: 'changed',
  summary: 'A deleted product answers 410 gone instead of 404 not_found.',
  why: 'A deleted product can be distinguished from a mistyped id.',
  upgradeNote: 'Treat 410 like 404, or forget the id for good.',
  examples: [
    {
      before: {
        answerTo: 'GET /v1/products/{id}',
        status: 404,
        body: { error: 'not_found', detail: 'There is nothing at this address.' },
      },
      after: {
        answerTo: 'GET /v1/products/{id}',
        status: 410,
        body: {
          type: 'urn:dateline:error:gone',
          title: 'This was deleted.',
          status: 410,
          detail: 'This was deleted.',
          code: 'gone',
        },
      },
    },
  ],
  touches: ['products:read.errors.410', 'products:update.errors.410'],
  downgradeError: (error) =>
    error.code === 'gone'
      ? { code: 'not_found', status: 404, detail: 'There is nothing at this address.' }
      : error,
};
