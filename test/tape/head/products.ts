import { asking, keyedSteps, type Step } from '../step.ts';

const COLLECTION = '/v1/products/';
const ITEM = '/v1/products/{{product}}';
const UNKNOWN = '/v1/products/prd_0000000000000000000000';
const DELETED = '/v1/products/{{other_product}}';

const list = asking('products:list', 'GET', COLLECTION);
const create = asking('products:create', 'POST', COLLECTION);
const read = asking('products:read', 'GET', ITEM);
const update = asking('products:update', 'PATCH', ITEM);
const remove = asking('products:delete', 'DELETE', DELETED);

const prices = [{ amount: 4900, currency: 'eur' }];
const least = { name: 'Support plan', billing: 'recurring', prices };
const all = {
  organization_id: '{{owner.organization}}',
  name: 'Storage',
  description: 'By the gigabyte.\nBilled monthly.',
  billing: 'usage',
  visibility: 'private',
  prices: [...prices, { amount: 5900, currency: 'usd' }],
  metadata: { tier: 'gold' },
};
const refused = '422 validation_failed';
const fiftyOneKeys = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`key${index}`, 'x']));

const creating: readonly Step[] = [
  create('with what is needed', '201', { body: { json: least }, save: { product: 'id' } }),
  create('with everything', '201', { body: { json: all }, save: { other_product: 'id' } }),
  create('billed once', '201', { body: { json: { ...least, billing: 'one_time' } }, save: { third: 'id' } }),
  create('in one of two organizations', '201', {
    as: 'manager',
    body: { json: { ...least, organization_id: '{{manager.other_organization}}' } },
  }),
  create('in none of two organizations', refused, { as: 'manager', body: { json: least } }),
  create('in another’s organization', refused, {
    body: { json: { ...least, organization_id: '{{stranger.organization}}' } },
  }),
  ...keyedSteps(create, least, all),
  create('with nothing', refused, { body: { json: {} } }),
  create('with a field that nobody knows', refused, { body: { json: { ...least, colour: 'red' } } }),
  create('with a short name', refused, { body: { json: { ...least, name: 'ab' } } }),
  create('with a control character in its name', refused, { body: { json: { ...least, name: 'a\tbc' } } }),
  create('with NUL in its description', refused, { body: { json: { ...least, description: 'a\0b' } } }),
  create('without a price', refused, { body: { json: { ...least, prices: [] } } }),
  create('with two prices in one currency', refused, {
    body: { json: { ...least, prices: [...prices, ...prices] } },
  }),
  create('with a negative amount', refused, {
    body: { json: { ...least, prices: [{ amount: -1, currency: 'eur' }] } },
  }),
  create('with a billing that nobody knows', refused, { body: { json: { ...least, billing: 'never' } } }),
  create('with too many metadata', refused, { body: { json: { ...least, metadata: fiftyOneKeys } } }),
];

const reading: readonly Step[] = [
  read('one’s own', '200'),
  read('with everything', '200', { path: DELETED }),
  read('another’s', '404 not_found', { as: 'stranger' }),
  read('one that never was', '404 not_found', { path: UNKNOWN }),
  read('what is no id', '404 not_found', { path: '/v1/products/x' }),
];

const listing: readonly Step[] = [
  list('all', '200'),
  list('all, without a slash at the end', '200', { path: '/v1/products' }),
  list('none', '200', { as: 'stranger' }),
  list('of one organization', '200', {
    as: 'manager',
    query: 'organization_id={{manager.other_organization}}',
  }),
  list('of another’s organization', '200', { query: 'organization_id={{stranger.organization}}' }),
  list('the first page', '200', { query: 'limit=2', save: { products_cursor: 'pagination.next_cursor' } }),
  list('the page after it', '200', { query: 'limit=2&cursor={{products_cursor}}' }),
  list('the page after nothing', refused, { query: 'cursor=%00' }),
  list('a page of nothing', refused, { query: 'limit=0' }),
  list('a page that is too long', refused, { query: 'limit=101' }),
  list('with a limit given twice', refused, { query: 'limit=1&limit=2' }),
];

const changing: readonly Step[] = [
  update('the name', '200', { body: { json: { name: 'Better support' } } }),
  update('nothing', '200', { body: { json: {} } }),
  update('everything', '200', {
    body: {
      json: {
        name: 'Best support',
        description: 'Day and night.',
        visibility: 'private',
        prices: [{ amount: 9900, currency: 'gbp' }],
        metadata: { tier: 'platinum' },
      },
    },
  }),
  update('the description away', '200', { body: { json: { description: null } } }),
  update('to archived', '200', { body: { json: { visibility: 'archived' } } }),
  update('back to public', '200', { body: { json: { visibility: 'public' } } }),
  update('with a field that cannot change', refused, { body: { json: { billing: 'one_time' } } }),
  update('to two prices in one currency', refused, { body: { json: { prices: [...prices, ...prices] } } }),
  update('another’s', '404 not_found', { as: 'stranger', body: { json: { name: 'Mine now' } } }),
  update('one that never was', '404 not_found', { path: UNKNOWN, body: { json: { name: 'Nobody’s' } } }),
];

const deleting: readonly Step[] = [
  remove('another’s', '404 not_found', { as: 'stranger' }),
  remove('one that never was', '404 not_found', { path: UNKNOWN }),
  remove('one’s own', '204'),
  remove('one that was deleted', '410 gone'),
  read('one that was deleted', '410 gone', { path: DELETED }),
  read('one that another deleted', '404 not_found', { as: 'stranger', path: DELETED }),
  update('one that was deleted', '410 gone', { path: DELETED, body: { json: { name: 'Back again' } } }),
  list('what is left', '200'),
];

export const productSteps: readonly Step[] = [...creating, ...reading, ...listing, ...changing, ...deleting];
