import type { Change } from '../../../versions/change.ts';

export const describeErrorsAsProblemDetails: Change = {
  name: 'describeErrorsAsProblemDetails',
  says: 'Errors outside OAuth are RFC 9457 problem details (application/problem+json).',
  why: 'It is a standard that tools already read.',
  upgradeNote: 'Read code where you read error. detail stays; type, title and status are new.',
  touches: ['errors'],
};
