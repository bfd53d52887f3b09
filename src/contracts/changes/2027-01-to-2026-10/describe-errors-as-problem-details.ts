import type { Change } from '@dateline/versions';

export const describeErrorsAsProblemDetails: Change = {
  name: 'describeErrorsAsProblemDetails',
  kind: 'changed',
  summary: 'Errors outside OAuth are RFC 9457 problem details (application/problem+json).',
  why: 'It is a standard that tools already read.',
  upgradeNote: 'Read code where you read error. detail stays; type, title and status are new.',
  examples: [
    {
      before: {
        answerTo: 'GET /v1/products/',
        status: 401,
        body: { error: 'unauthorized', detail: 'A valid bearer token is needed.' },
      },
      after: {
        answerTo: 'GET /v1/products/',
        status: 401,
        body: {
          type: 'urn:dateline:error:unauthorized',
          title: 'A valid bearer token is needed.',
          status: 401,
          detail: 'A valid bearer token is needed.',
          code: 'unauthorized',
        },
      },
    },
  ],
  touches: ['errors'],
};
