import { asking, type Step } from '../step.ts';

const list = asking('oauth2:list_grants', 'GET', '/v1/oauth2/grants');
const end = (id: string) => asking('oauth2:end_grant', 'DELETE', `/v1/oauth2/grants/${id}`);

/** The order of several grants from the same instant is undefined: what is listed here is one. */
export const grantSteps: readonly Step[] = [
  list('of a person', '200', { as: 'manager', save: { grant: 'items.0.id' } }),
  list('the page after the last', '200', { as: 'manager', query: 'limit=1&cursor={{grant}}' }),
  list('a page of nothing', '422 validation_failed', { query: 'limit=0' }),
  list('with a cursor that is none', '422 validation_failed', { query: 'cursor=x' }),
  end('{{steward.ending_grant}}')('of the same person', '204', { as: 'steward' }),
  end('{{steward.ending_grant}}')('once more', '404 not_found', { as: 'steward' }),
  end('{{grant}}')('somebody else’s', '404 not_found', { as: 'steward' }),
  end('x')('what cannot be one', '404 not_found', { as: 'steward' }),
  end('{{owner.ending_grant}}')('of the same person, without the scope', '403 insufficient_scope'),
];
