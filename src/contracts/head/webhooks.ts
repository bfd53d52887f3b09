import type { Json } from '@dateline/versions';
import { Type } from 'typebox';
import {
  AnyIdentifier,
  CursorPagination,
  closed,
  DescriptionInput,
  Identifier,
  idCursorQuery,
  nameCursorQuery,
  Timestamp,
  text,
} from './fields.ts';
import {
  actionErrors,
  bearer,
  createErrors,
  internal,
  itemErrors,
  json,
  maybeJson,
  operations,
  query,
  readErrors,
  repeatableHeaders,
  writeErrors,
} from './operation-parts.ts';

const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const oneOf = <const Values extends readonly string[]>(...values: Values) =>
  Type.Unsafe<Values[number]>(Type.Union(values.map((value) => Type.Literal(value))));
const page = <Item extends Type.TSchema>(item: Item) =>
  json(Type.Object({ items: Type.Array(item), pagination: CursorPagination }, closed));
/** Any JSON object: its shape depends on the version. */
const AnyObject = Type.Unsafe<Json>(Type.Object({}, { additionalProperties: true }));

const Format = oneOf('raw', 'slack', 'discord');
const PerSecond = Type.Integer({ minimum: 1, maximum: 1_000 });
const EventState = oneOf('pending', 'delivered', 'exhausted', 'held', 'cancelled');

/** Its owner's wish, an answer 410, days of failures, the end of its maker's access, or an operator. */
export const DisabledReason = oneOf('owner', 'gone', 'failing', 'access_ended', 'operator');
/** The client that made the endpoint, or took it over since, and the user it acted for, if any. */
const Maker = Type.Object({ client_id: Identifier, user_id: orNull(Identifier) }, closed);

const endpointFields = {
  id: Identifier,
  organization_id: Identifier,
  url: Type.String(),
  format: Format,
  events: Type.Array(Type.String()),
  // The version that counts, and the one that was chosen: they differ once that one is removed.
  api_version: Type.String(),
  pinned_version: Type.String(),
  enabled: Type.Boolean(),
  disabled_reason: orNull(DisabledReason),
  description: orNull(Type.String()),
  max_per_second: orNull(Type.Integer()),
  // Null: it was made before this was noted.
  created_by: orNull(Maker),
  created_at: Timestamp,
  modified_at: Timestamp,
};

export const Endpoint = Type.Object(endpointFields, closed);
/** The secret is shown where it is made, and never again. */
const CreatedEndpoint = Type.Object({ ...endpointFields, secret: Type.String() }, closed);
const RotatedEndpoint = Type.Object(
  { ...endpointFields, secret: Type.String(), previous_secret_expires_at: Timestamp },
  closed,
);

/** The versions and kinds that exist change with time, so the server checks them. */
const endpointInput = {
  format: Type.Optional(Format),
  api_version: Type.Optional(orNull(text(0, 64))),
  enabled: Type.Optional(Type.Boolean()),
  description: Type.Optional(DescriptionInput),
  max_per_second: Type.Optional(orNull(PerSecond)),
};
const Url = text(1, 2_048);
const Kinds = Type.Array(text(1, 100), { minItems: 1, maxItems: 100 });

const NewEndpoint = Type.Object(
  { organization_id: Type.Optional(AnyIdentifier), url: Url, events: Kinds, ...endpointInput },
  closed,
);
const EndpointChanges = Type.Object(
  { url: Type.Optional(Url), events: Type.Optional(Kinds), ...endpointInput },
  closed,
);

const WEEK_SECONDS = 604_800;
const Rotation = Type.Object(
  { overlap_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: WEEK_SECONDS })) },
  closed,
);

export const Event = Type.Object(
  {
    id: Identifier,
    occurrence_id: Identifier,
    endpoint_id: Identifier,
    organization_id: Identifier,
    type: Type.String(),
    api_version: Type.String(),
    format: Format,
    created_at: Timestamp,
    payload_sha256: orNull(Type.String()),
    state: EventState,
    attempt_count: Type.Integer(),
    next_attempt_at: orNull(Timestamp),
    // Ordered by POST …/test: nothing has happened.
    test: Type.Boolean(),
  },
  closed,
);

export const Delivery = Type.Object(
  {
    id: Identifier,
    event_id: Identifier,
    endpoint_id: Identifier,
    started_at: Timestamp,
    duration_ms: Type.Integer(),
    status: orNull(Type.Integer()),
    error: orNull(Type.String()),
    answer: orNull(Type.String()),
  },
  closed,
);

export const Recovery = Type.Object(
  {
    id: Identifier,
    endpoint_id: Identifier,
    since: Timestamp,
    state: oneOf('running', 'finished', 'cancelled'),
    started_at: Timestamp,
    total: Type.Integer(),
    remaining: Type.Integer(),
    delivered: Type.Integer(),
    failed: Type.Integer(),
  },
  closed,
);

const TestOrder = Type.Object({ type: text(1, 100), api_version: Type.Optional(text(0, 64)) }, closed);
const RecoveryOrder = Type.Object({ since: Timestamp }, closed);
/** One of event_id and type; the server checks it. */
const PreviewOrder = Type.Object(
  {
    event_id: Type.Optional(AnyIdentifier),
    type: Type.Optional(text(1, 100)),
    api_version: text(0, 64),
  },
  closed,
);

/** The payload is null where a version does not publish the event. */
export const Rendering = Type.Object({ api_version: Type.String(), payload: orNull(AnyObject) }, closed);
const Preview = Type.Object(
  {
    from: Rendering,
    to: Rendering,
    differences: Type.Array(
      Type.Object({ path: Type.String(), kind: oneOf('added', 'removed', 'changed') }, closed),
    ),
  },
  closed,
);

export const Kind = Type.Object(
  {
    type: Type.String(),
    api_version: Type.String(),
    summary: Type.String(),
    // What a token must carry to subscribe to it.
    scopes: Type.Array(Type.String()),
    schema: AnyObject,
    example: AnyObject,
  },
  closed,
);

const CONFLICT = { 409: ['conflict'] };
const EXPIRED = { 410: ['payload_expired'] };
const changeErrors = { ...writeErrors, ...itemErrors };

const groups = ['webhooks', 'public'];
const reading = {
  method: 'GET',
  groups,
  security: bearer('webhooks:read'),
  query: null,
  body: null,
} as const;
const writing = { ...reading, method: 'POST', security: bearer('webhooks:write') } as const;

const ENDPOINTS = '/v1/webhooks/endpoints';
const ENDPOINT = `${ENDPOINTS}/{id}` as const;
const EVENTS = '/v1/webhooks/events';
/** Older versions let a token subscribe to what it may not read. */
const subscribing = { command: internal({ withoutScopes: Type.Optional(Type.Boolean()) }) };
const ofOrganization = { organization_id: Type.Optional(AnyIdentifier) };

const endpointOperations = operations({
  'webhooks:list_endpoints': {
    ...reading,
    path: ENDPOINTS,
    summary: 'List webhook endpoints',
    query: query({ ...ofOrganization, ...idCursorQuery('whe') }),
    responses: { 200: page(Endpoint) },
    errors: readErrors,
  },
  'webhooks:create_endpoint': {
    ...writing,
    path: ENDPOINTS,
    summary: 'Create a webhook endpoint',
    ...subscribing,
    headers: repeatableHeaders,
    body: json(NewEndpoint),
    responses: { 201: json(CreatedEndpoint) },
    errors: createErrors,
  },
  'webhooks:read_endpoint': {
    ...reading,
    path: ENDPOINT,
    summary: 'Read a webhook endpoint',
    responses: { 200: json(Endpoint) },
    errors: itemErrors,
  },
  'webhooks:update_endpoint': {
    ...writing,
    method: 'PATCH',
    path: ENDPOINT,
    summary: 'Change a webhook endpoint',
    ...subscribing,
    body: json(EndpointChanges),
    responses: { 200: json(Endpoint) },
    errors: changeErrors,
  },
  'webhooks:delete_endpoint': {
    ...writing,
    method: 'DELETE',
    path: ENDPOINT,
    summary: 'Delete a webhook endpoint',
    responses: { 204: null },
    errors: actionErrors,
  },
  'webhooks:rotate_secret': {
    ...writing,
    path: `${ENDPOINT}/rotate-secret`,
    summary: 'Give a webhook endpoint a new secret',
    body: maybeJson(Rotation),
    responses: { 200: json(RotatedEndpoint) },
    errors: changeErrors,
  },
});

const tryingOperations = operations({
  'webhooks:test_endpoint': {
    ...writing,
    path: `${ENDPOINT}/test`,
    summary: 'Send an example to a webhook endpoint',
    body: json(TestOrder),
    responses: { 202: json(Event) },
    errors: { ...changeErrors, ...CONFLICT },
  },
  'webhooks:preview': {
    ...writing,
    path: `${ENDPOINT}/preview`,
    summary: 'Show how an event would look in another version',
    security: bearer('webhooks:read'),
    body: json(PreviewOrder),
    responses: { 200: json(Preview) },
    errors: { ...changeErrors, ...EXPIRED },
  },
});

const recoveryOperations = operations({
  'webhooks:recover': {
    ...writing,
    path: `${ENDPOINT}/recover`,
    summary: 'Send again what a webhook endpoint has missed',
    body: json(RecoveryOrder),
    responses: { 202: json(Recovery) },
    errors: { ...changeErrors, ...CONFLICT },
  },
  'webhooks:read_recovery': {
    ...reading,
    path: `${ENDPOINT}/recover`,
    summary: 'Read how the last recovery goes',
    responses: { 200: json(Recovery) },
    errors: itemErrors,
  },
  'webhooks:cancel_recovery': {
    ...writing,
    method: 'DELETE',
    path: `${ENDPOINT}/recover`,
    summary: 'Stop the last recovery',
    responses: { 200: json(Recovery) },
    errors: actionErrors,
  },
});

const eventOperations = operations({
  'webhooks:list_events': {
    ...reading,
    path: EVENTS,
    summary: 'List webhook events, newest first',
    query: query({
      ...ofOrganization,
      endpoint_id: Type.Optional(AnyIdentifier),
      type: Type.Optional(text(1, 100)),
      state: Type.Optional(EventState),
      ...idCursorQuery('evt'),
    }),
    responses: { 200: page(Event) },
    errors: readErrors,
  },
  'webhooks:read_event': {
    ...reading,
    path: `${EVENTS}/{id}`,
    summary: 'Read a webhook event',
    responses: { 200: json(Event) },
    errors: itemErrors,
  },
  'webhooks:redeliver': {
    ...writing,
    path: `${EVENTS}/{id}/redeliver`,
    summary: 'Send a webhook event again',
    responses: { 202: json(Event) },
    errors: { ...actionErrors, ...CONFLICT, ...EXPIRED },
  },
  'webhooks:list_deliveries': {
    ...reading,
    path: '/v1/webhooks/deliveries',
    summary: 'List attempts to deliver webhook events, newest first',
    query: query({
      ...ofOrganization,
      event_id: Type.Optional(AnyIdentifier),
      endpoint_id: Type.Optional(AnyIdentifier),
      ...idCursorQuery('wha'),
    }),
    responses: { 200: page(Delivery) },
    errors: readErrors,
  },
  'webhooks:list_event_kinds': {
    ...reading,
    path: '/v1/webhooks/event-kinds',
    summary: 'List the kinds of events of a version',
    query: query({ api_version: Type.Optional(text(0, 64)), ...nameCursorQuery }),
    responses: { 200: page(Kind) },
    errors: readErrors,
  },
});

/** Paged in the same way in every version: an endpoint has a version of its own, independent of the request's. */
export const webhookOperations = {
  ...endpointOperations,
  ...tryingOperations,
  ...recoveryOperations,
  ...eventOperations,
};
