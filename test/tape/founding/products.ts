import { asking, keyedSteps, type Step } from '../step.ts';

const COLLECTION = '/v1/products/';
const ITEM = '/v1/products/{{product}}';
const UNKNOWN = '/v1/products/prd_0000000000000000000000';

export const list = asking('products:list', 'GET', COLLECTION);
export const create = asking('products:create', 'POST', COLLECTION);
export const read = asking('products:read', 'GET', ITEM);
export const update = asking('products:update', 'PATCH', ITEM);
const archive = asking('products:archive', 'POST', `${ITEM}/archive`);

export const refused = '422 validation_failed';

/** Where the founding versions differ in what a product is. */
export interface Dialect {
  /** The price of a new product, as fields. */
  price: object;
  negativePrice: object;
  /** All that can be said of a product beyond what is needed. */
  more: object;
}

export function productSteps({ price, negativePrice, more }: Dialect): Step[] {
  const least = { name: 'Support plan', billing: 'recurring', ...price };
  return [
    create('with what is needed', '201', { body: { json: least }, save: { product: 'id' } }),
    create('with everything', '201', {
      body: {
        json: {
          ...least,
          ...more,
          organization_id: '{{owner.organization}}',
          description: 'By day.\nBy night.',
        },
      },
      save: { other_product: 'id' },
    }),
    create('billed once', '201', {
      body: { json: { ...least, billing: 'one_time' } },
      save: { third: 'id' },
    }),
    create('in one of two organizations', '201', {
      as: 'manager',
      body: { json: { ...least, organization_id: '{{manager.other_organization}}' } },
    }),
    create('in none of two organizations', refused, { as: 'manager', body: { json: least } }),
    create('in another’s organization', refused, {
      body: { json: { ...least, organization_id: '{{stranger.organization}}' } },
    }),
    ...keyedSteps(create, least, { ...least, name: 'Another plan' }),
    create('with nothing', refused, { body: { json: {} } }),
    create('with a field that nobody knows', refused, { body: { json: { ...least, colour: 'red' } } }),
    create('with a field of a later version', refused, {
      body: { json: { ...least, visibility: 'private' } },
    }),
    create('with a control character in its name', refused, { body: { json: { ...least, name: 'a\tbc' } } }),
    create('with NUL in its description', refused, { body: { json: { ...least, description: 'a\0b' } } }),
    create('with a negative amount', refused, { body: { json: { ...least, ...negativePrice } } }),
    create('with a billing of a later version', refused, { body: { json: { ...least, billing: 'usage' } } }),
    ...reading,
    ...listing,
    ...changing,
    ...archiving,
  ];
}

const reading: readonly Step[] = [
  read('one’s own', '200'),
  read('with everything', '200', { path: '/v1/products/{{other_product}}' }),
  read('another’s', '404 not_found', { as: 'stranger' }),
  read('one that never was', '404 not_found', { path: UNKNOWN }),
  read('what is no id', '404 not_found', { path: '/v1/products/x' }),
];

const listing: readonly Step[] = [
  list('all', '200'),
  list('all, without a slash at the end', '200', { path: '/v1/products' }),
  list('all, without a scope', '200', { as: 'unscoped' }),
  list('none', '200', { as: 'stranger' }),
  list('of one organization', '200', {
    as: 'manager',
    query: 'organization_id={{manager.other_organization}}',
  }),
  list('of another’s organization', '200', { query: 'organization_id={{stranger.organization}}' }),
  list('the first page', '200', { query: 'limit=2' }),
  list('the second page', '200', { query: 'limit=2&page=2' }),
  list('a page behind the last', '200', { query: 'limit=2&page=9' }),
  list('a page before the first', refused, { query: 'page=0' }),
  list('a page of nothing', refused, { query: 'limit=0' }),
  list('a page that is too long', refused, { query: 'limit=101' }),
  list('with a limit given twice', refused, { query: 'limit=1&limit=2' }),
];

const changing: readonly Step[] = [
  update('the name', '200', { body: { json: { name: 'Better support' } } }),
  update('nothing', '200', { body: { json: {} } }),
  update('the description', '200', { body: { json: { description: 'Day and night.' } } }),
  update('the description away', '200', { body: { json: { description: null } } }),
  update('to archived', '200', { body: { json: { is_archived: true } } }),
  update('back from the archive', '200', { body: { json: { is_archived: false } } }),
  update('with a field that cannot change', refused, { body: { json: { billing: 'one_time' } } }),
  update('another’s', '404 not_found', { as: 'stranger', body: { json: { name: 'Mine now' } } }),
  update('one that never was', '404 not_found', { path: UNKNOWN, body: { json: { name: 'Nobody’s' } } }),
];

const archiving: readonly Step[] = [
  archive('another’s', '404 not_found', { as: 'stranger' }),
  archive('one that never was', '404 not_found', { path: `${UNKNOWN}/archive` }),
  archive('one’s own', '200'),
  archive('one that is archived', '200'),
  read('one that is archived', '200'),
  list('what is archived too', '200'),
];
