import { asking, keyedSteps, type Step } from '../step.ts';

const ENDPOINTS = '/v1/webhooks/endpoints';
const ENDPOINT = `${ENDPOINTS}/{{endpoint}}`;
const UNKNOWN = `${ENDPOINTS}/whe_0000000000000000000000`;
const STRANGERS = `${ENDPOINTS}/{{stranger.endpoint}}`;
const EVENTS = '/v1/webhooks/events';

const list = asking('webhooks:list_endpoints', 'GET', ENDPOINTS);
const create = asking('webhooks:create_endpoint', 'POST', ENDPOINTS);
const read = asking('webhooks:read_endpoint', 'GET', ENDPOINT);
const update = asking('webhooks:update_endpoint', 'PATCH', ENDPOINT);
const remove = asking('webhooks:delete_endpoint', 'DELETE', `${ENDPOINTS}/{{other_endpoint}}`);
const rotate = asking('webhooks:rotate_secret', 'POST', `${ENDPOINT}/rotate-secret`);
const test = asking('webhooks:test_endpoint', 'POST', `${ENDPOINT}/test`);
const preview = asking('webhooks:preview', 'POST', `${ENDPOINT}/preview`);
const recover = asking('webhooks:recover', 'POST', `${ENDPOINT}/recover`);
const readRecovery = asking('webhooks:read_recovery', 'GET', `${ENDPOINT}/recover`);
const cancelRecovery = asking('webhooks:cancel_recovery', 'DELETE', `${ENDPOINT}/recover`);
const listEvents = asking('webhooks:list_events', 'GET', EVENTS);
const readEvent = asking('webhooks:read_event', 'GET', `${EVENTS}/{{event}}`);
const redeliver = asking('webhooks:redeliver', 'POST', `${EVENTS}/{{event}}/redeliver`);
const listDeliveries = asking('webhooks:list_deliveries', 'GET', '/v1/webhooks/deliveries');
const listKinds = asking('webhooks:list_event_kinds', 'GET', '/v1/webhooks/event-kinds');

// The version is always named: which one is Current is not part of a contract. Nothing listens on this port.
const least = { url: 'http://localhost:9/in', events: ['token.revoked'], api_version: '{{version}}' };
const all = {
  ...least,
  organization_id: '{{owner.organization}}',
  format: 'slack',
  events: ['product.*', 'token.revoked'],
  enabled: false,
  description: 'For the people.\nIn the kitchen.',
  max_per_second: 10,
};
const refused = '422 validation_failed';
const absent = '404 not_found';
const conflict = '409 conflict';
const expired = '410 payload_expired';

const creating: readonly Step[] = [
  create('with what is needed', '201', { body: { json: least }, save: { endpoint: 'id' } }),
  create('with everything', '201', { body: { json: all }, save: { other_endpoint: 'id' } }),
  create('in one of two organizations', '201', {
    as: 'manager',
    body: { json: { ...least, organization_id: '{{manager.other_organization}}' } },
  }),
  create('in none of two organizations', refused, { as: 'manager', body: { json: least } }),
  create('in another’s organization', refused, {
    body: { json: { ...least, organization_id: '{{stranger.organization}}' } },
  }),
  ...keyedSteps(create, least, all, 'one-endpoint'),
  create('with nothing', refused, { body: { json: {} } }),
  create('with a field that nobody knows', refused, { body: { json: { ...least, colour: 'red' } } }),
  create('with a kind that nobody knows', refused, { body: { json: { ...least, events: ['order.made'] } } }),
  create('with a resource that nobody knows', refused, { body: { json: { ...least, events: ['order.*'] } } }),
  create('without a kind', refused, { body: { json: { ...least, events: [] } } }),
  create('with a format that nobody knows', refused, { body: { json: { ...least, format: 'fax' } } }),
  create('with an address that is none', refused, { body: { json: { ...least, url: 'nowhere' } } }),
  create('with an address that is private', refused, {
    body: { json: { ...least, url: 'https://10.0.0.1/' } },
  }),
  create('with a file', refused, { body: { json: { ...least, url: 'file:///etc/passwd' } } }),
  create('with no deliveries a second', refused, { body: { json: { ...least, max_per_second: 0 } } }),
];

const reading: readonly Step[] = [
  read('one’s own', '200'),
  read('with everything', '200', { path: `${ENDPOINTS}/{{other_endpoint}}` }),
  read('another’s', absent, { as: 'stranger' }),
  read('one that never was', absent, { path: UNKNOWN }),
  list('all', '200'),
  list('the first page', '200', { query: 'limit=1', save: { endpoints_cursor: 'pagination.next_cursor' } }),
  list('the page after it', '200', { query: 'limit=1&cursor={{endpoints_cursor}}' }),
  list('of one organization', '200', {
    as: 'manager',
    query: 'organization_id={{manager.other_organization}}',
  }),
  list('of another’s organization', '200', { query: 'organization_id={{stranger.organization}}' }),
  list('a page of nothing', refused, { query: 'limit=0' }),
];

const changing: readonly Step[] = [
  update('the description', '200', { body: { json: { description: 'Mine' } } }),
  update('nothing', '200', { body: { json: {} } }),
  update('everything', '200', {
    body: {
      json: {
        url: 'http://localhost:9/new',
        format: 'discord',
        events: ['*'],
        api_version: '{{version}}',
        description: null,
        max_per_second: 5,
      },
    },
  }),
  update('back to raw', '200', { body: { json: { format: 'raw', max_per_second: null } } }),
  update('to a kind that nobody knows', refused, { body: { json: { events: ['order.made'] } } }),
  update('to an address that is none', refused, { body: { json: { url: 'nowhere' } } }),
  update('another’s', absent, { as: 'stranger', body: { json: { description: 'Mine now' } } }),
  update('one that never was', absent, { path: UNKNOWN, body: { json: { description: 'Nobody’s' } } }),
  rotate('without saying more', '200'),
  rotate('at once', '200', { body: { json: { overlap_seconds: 0 } } }),
  rotate('with too long an overlap', refused, { body: { json: { overlap_seconds: 604_801 } } }),
  rotate('another’s', absent, { as: 'stranger' }),
];

const trying: readonly Step[] = [
  test('with a kind', '202', {
    body: { json: { type: 'token.revoked' } },
    save: { event: 'id', tested_at: 'created_at' },
  }),
  test('in a version', '202', { body: { json: { type: 'product.created', api_version: '{{version}}' } } }),
  test('with a kind that nobody knows', refused, { body: { json: { type: 'order.made' } } }),
  test('another’s', absent, { as: 'stranger', body: { json: { type: 'token.revoked' } } }),
  test('one that is disabled', conflict, {
    path: `${ENDPOINTS}/{{other_endpoint}}/test`,
    body: { json: { type: 'token.revoked' } },
  }),
  preview('an example', '200', { body: { json: { type: 'token.revoked', api_version: '{{version}}' } } }),
  preview('neither an event nor a kind', refused, { body: { json: { api_version: '{{version}}' } } }),
  preview('another’s', absent, {
    as: 'stranger',
    body: { json: { type: 'token.revoked', api_version: '{{version}}' } },
  }),
  preview('what is no longer stored', expired, {
    as: 'stranger',
    path: `${STRANGERS}/preview`,
    body: { json: { event_id: '{{stranger.expired_event}}', api_version: '{{version}}' } },
  }),
];

const following: readonly Step[] = [
  listEvents('of an endpoint', '200', { query: 'endpoint_id={{endpoint}}' }),
  listEvents('of a kind', '200', { query: 'endpoint_id={{endpoint}}&type=token.revoked' }),
  listEvents('in a state', '200', { query: 'endpoint_id={{endpoint}}&state=delivered' }),
  listEvents('all that is another’s', '200', { as: 'manager' }),
  listEvents('in a state that there is not', refused, { query: 'state=lost' }),
  listEvents('a page of nothing', refused, { query: 'limit=0' }),
  readEvent('one’s own', '200'),
  readEvent('another’s', absent, { as: 'stranger' }),
  readEvent('one that never was', absent, { path: `${EVENTS}/evt_0000000000000000000000` }),
  redeliver('one’s own', '202'),
  redeliver('another’s', absent, { as: 'stranger' }),
  redeliver('what is no longer stored', expired, {
    as: 'stranger',
    path: `${EVENTS}/{{stranger.expired_event}}/redeliver`,
  }),
  listDeliveries('of an event', '200', { query: 'event_id={{event}}' }),
  listDeliveries('of an endpoint', '200', { query: 'endpoint_id={{endpoint}}' }),
  listDeliveries('all', '200'),
  listDeliveries('a page of nothing', refused, { query: 'limit=0' }),
  listKinds('of a version', '200', { query: 'api_version={{version}}' }),
  listKinds('the first page', '200', { query: 'api_version={{version}}&limit=1' }),
  listKinds('the page after the last', '200', { query: 'api_version={{version}}&cursor=z.z' }),
  listKinds('with a cursor that is none', refused, { query: 'cursor=2' }),
  listKinds('a page of nothing', refused, { query: 'limit=0' }),
];

const recovering: readonly Step[] = [
  readRecovery('where there was none', absent),
  cancelRecovery('where there was none', absent),
  update('to disabled', '200', { body: { json: { enabled: false } } }),
  readEvent('one that is held', '200'),
  redeliver('while it is disabled', conflict),
  recover('while it is disabled', conflict, { body: { json: { since: '{{tested_at}}' } } }),
  update('to enabled', '200', { body: { json: { enabled: true } } }),
  recover('all since a time', '202', { body: { json: { since: '{{tested_at}}' } } }),
  readRecovery('one that runs', '200'),
  cancelRecovery('one that runs', '200'),
  cancelRecovery('one that is cancelled', '200'),
  recover('since no time', refused, { body: { json: { since: 'yesterday' } } }),
  recover('another’s', absent, { as: 'stranger', body: { json: { since: '{{tested_at}}' } } }),
  readRecovery('another’s', absent, { as: 'stranger' }),
];

const deleting: readonly Step[] = [
  remove('another’s', absent, { as: 'stranger' }),
  remove('one’s own', '204'),
  remove('one that was deleted', absent),
  list('what is left', '200'),
];

/** The same in every version. Nothing is delivered while this is played. */
export const webhookSteps: readonly Step[] = [
  ...creating,
  ...reading,
  ...changing,
  ...trying,
  ...following,
  ...recovering,
  ...deleting,
];
