import { asking, type Step } from '../step.ts';

const list = asking('oauth2:list_grants', 'GET', '/v1/oauth2/grants');
const end = (id: string) => asking('oauth2:end_grant', 'DELETE', `/v1/oauth2/grants/${id}`);

/** The manager has one grant: the order of several from the same instant is undefined. */
export const grantSteps: readonly Step[] = [
  list('of a person', '200', { as: 'manager', save: { grant: 'items.0.id' } }),
  list('the page after the last', '200', { as: 'manager', query: 'limit=1&cursor={{grant}}' }),
  list('a page of nothing', '422 validation_failed', { query: 'limit=0' }),
  list('with a cursor that is none', '422 validation_failed', { query: 'cursor=x' }),
  end('{{owner.ending_grant}}')('one’s own', '204'),
  end('{{owner.ending_grant}}')('once more', '404 not_found'),
  end('{{grant}}')('somebody else’s', '404 not_found'),
  end('x')('what cannot be one', '404 not_found'),
];
