import { asking, type Step } from '../step.ts';

const list = asking('organizations:list', 'GET', '/v1/organizations/');

export const organizationSteps: readonly Step[] = [
  list('of a token for one', '200'),
  list('of a token for two', '200', { as: 'manager' }),
  list('the first page', '200', {
    as: 'manager',
    query: 'limit=1',
    save: { organizations_cursor: 'pagination.next_cursor' },
  }),
  list('the page after it', '200', { as: 'manager', query: 'limit=1&cursor={{organizations_cursor}}' }),
  list('a page of nothing', '422 validation_failed', { query: 'limit=0' }),
  list('with a limit given twice', '422 validation_failed', { query: 'limit=1&limit=2' }),
  list('with a parameter that nobody knows', '422 validation_failed', { query: 'colour=red' }),
  list('with a cursor that is none', '422 validation_failed', { query: 'cursor=2' }),
];
