import { asking, type Step } from '../step.ts';

const list = asking('organizations:list', 'GET', '/v1/organizations/');

export const organizationSteps: readonly Step[] = [
  list('of a token for one', '200'),
  list('of a token for two', '200', { as: 'manager' }),
  list('the first page', '200', { as: 'manager', query: 'limit=1' }),
  list('the second page', '200', { as: 'manager', query: 'limit=1&page=2' }),
  list('a page behind the last', '200', { as: 'manager', query: 'limit=1&page=3' }),
  list('a page before the first', '422 validation_failed', { query: 'page=0' }),
  list('a page of nothing', '422 validation_failed', { query: 'limit=0' }),
  list('with a limit given twice', '422 validation_failed', { query: 'limit=1&limit=2' }),
  list('with a parameter that nobody knows', '200', { query: 'colour=red' }),
];
