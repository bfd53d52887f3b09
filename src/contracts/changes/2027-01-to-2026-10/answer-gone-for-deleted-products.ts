import { operation, together } from '@dateline/versions';

const missing = { status: 404, code: 'not_found', detail: 'There is nothing at this address.' };

export const answerGoneForDeletedProducts = together(
  ['products:read', 'products:update'].map((id) => operation(id).error(410, 'gone').was(missing)),
  {
    name: 'answerGoneForDeletedProducts',
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
  },
);
