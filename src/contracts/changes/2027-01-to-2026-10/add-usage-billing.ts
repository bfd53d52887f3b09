import { at } from '@dateline/versions';

/** Older versions know usage as what it is most like: something that is charged again and again. */
export const addUsageBilling = at('products:**', 'product.**')
  .field('billing')
  .values(
    { usage: 'recurring' },
    {
      name: 'addUsageBilling',
      kind: 'added',
      summary: 'billing gains the value usage.',
      why: 'Products can be charged by what is used.',
      upgradeNote: 'Handle "usage" wherever you handle billing.',
      examples: [
        {
          before: {
            answerTo: 'GET /v1/products/{id}',
            status: 200,
            body: { name: 'Compute', billing: 'recurring' },
          },
          after: {
            answerTo: 'GET /v1/products/{id}',
            status: 200,
            body: { name: 'Compute', billing: 'usage' },
          },
        },
      ],
    },
  );
