import { Type } from 'typebox';
import { Delivery as DeliverySchema, Rendering as RenderingSchema } from '../../contracts/head/webhooks.ts';
import type { Environment } from '../../environments/environment.ts';
import { lastRecovery } from '../../webhooks/events/recover-events.ts';
import { sendTest } from '../../webhooks/events/send-test.ts';
import {
  overseeAttempts,
  overseeEvent,
  overseeEvents,
  overseeQueue,
  previewOverseen,
  watchEndpoint,
  watchEndpoints,
} from '../../webhooks/oversight/oversee.ts';
import {
  COUNT_MAX,
  endpointConditions,
  type WatchedEndpoint as StoredEndpoint,
} from '../../webhooks/oversight/store.ts';
import { eventStates, type RecordedAttempt as StoredAttempt } from '../../webhooks/types.ts';
import { deliveryBody, recoveryBody } from '../api/operations/webhook-bodies.ts';
import type { App } from '../app/create-app.ts';
import { pageBody, pageRequest } from '../app/paging.ts';
import { audited } from './acting-operator.ts';
import { failureMessage } from './failure-message.ts';
import {
  AnyId,
  Count,
  describe,
  described,
  object,
  oneOf,
  optional,
  orNull,
  pageOf,
  pageQuery,
  Text,
  Time,
} from './fields.ts';
import { operationsOf } from './operation.ts';
import { periodIn, periodQuery } from './period.ts';
import {
  Endpoint,
  Event,
  endpointBodies,
  eventBodies,
  failureBody,
  lastFailure,
  namedEvent,
  Recovery,
} from './webhook-fields.ts';

const WatchedEndpoint = object({
  ...Endpoint.properties,
  last_success_at: describe(orNull(Time), 'When an event was last delivered; null if none ever was.'),
  failing_since: describe(
    orNull(Time),
    'Since when every attempt has failed; null if the last one succeeded.',
  ),
  failure_count: describe(Count, 'Number of failed attempts since then.'),
  paused_until: describe(orNull(Time), 'Until when the receiver has asked for a pause; null if it has not.'),
  last_failure: lastFailure,
});

const Headers = Type.Record(Type.String(), Text);

const RecordedAttempt = object({
  ...described(DeliverySchema, {
    id: 'Begins with wha_.',
    event_id: 'The event that was sent.',
    endpoint_id: 'The endpoint that it was sent to.',
    started_at: 'When the attempt began.',
    duration_ms: 'How long it took as a whole.',
    status: 'The status of the answer; null if none came.',
    error: 'Why it failed; null if it did not.',
    answer: 'The beginning of the answer; null if none came.',
  }).properties,
  message: describe(orNull(Text), 'Why it failed, in words; null if it did not.'),
  sent_headers: describe(
    orNull(Headers),
    'The headers that were sent; null where nothing was, or it is not known.',
  ),
  answer_headers: describe(
    orNull(Headers),
    'The headers of the answer; null if none came, or it is not known.',
  ),
  stages: describe(
    object({
      lookup: optional(Count, 'DNS look-up.'),
      connect: optional(Count, 'Connecting, with TLS; left out on a connection that was there.'),
      wait: optional(Count, 'Sending, until the head of the answer came.'),
      read: optional(Count, 'Reading the rest.'),
    }),
    'How many milliseconds each stage took; what was not needed is left out.',
  ),
});

const Rendering = described(RenderingSchema, {
  api_version: 'The version.',
  payload: 'The body in this version; null where it does not publish the event.',
});

const Preview = object({
  from: describe(Rendering, 'As it was sent.'),
  to: describe(Rendering, 'As it would have been in the other version.'),
  differences: describe(
    Type.Array(
      object({
        path: describe(Text, 'Where.'),
        kind: describe(oneOf(['added', 'removed', 'changed']), 'What the other version does.'),
      }),
    ),
    'Where the two differ.',
  ),
});

const Queue = object({
  waiting: describe(Count, `Events that are to be sent; ${COUNT_MAX} means at least so many.`),
  due: describe(Count, 'Those of them whose time has come.'),
  held: describe(Count, 'Events of endpoints that are disabled.'),
  enabled: describe(Count, 'Endpoints that events are sent to.'),
  disabled: describe(Count, 'Endpoints that nothing is sent to.'),
  failing: describe(Count, 'Enabled endpoints whose last attempts have all failed.'),
});

const TestOrder = object({
  type: describe(Text, 'The kind of the event.'),
  api_version: optional(Text, 'The version of the example; the one of the endpoint by default.'),
});

/** Webhooks of all organizations. */
export function webhookOversightRoutes(app: App, environment: Environment): void {
  endpointRoutes(app, environment);
  eventRoutes(app, environment);
}

const endpointParams = { id: 'The id of the endpoint.' };

function endpointRoutes(app: App, environment: Environment): void {
  const operation = operationsOf(app, 'Webhooks');

  operation(
    'GET /operator/webhooks/endpoints',
    {
      id: 'list_all_webhook_endpoints',
      needs: 'viewer',
      summary: 'List the webhook endpoints of all organizations, and how deliveries to them go',
      query: {
        ...pageQuery,
        organization_id: optional(AnyId, 'Only those of this organization.'),
        condition: optional(oneOf(endpointConditions), 'Only those in this condition.'),
        api_version: optional(Type.String({ maxLength: 20 }), 'Only those whose events have this version.'),
        search: optional(Type.String({ minLength: 1, maxLength: 200 }), 'A part of the address, or an id.'),
      },
      answer: { description: 'A page of endpoints, oldest first.', body: pageOf(WatchedEndpoint) },
    },
    async (request) => {
      const { organization_id: organizationId = null, condition = null, search = null } = request.query;
      const { api_version: apiVersion = null } = request.query;
      const filter = { organizationId, condition, search, apiVersion };
      const page = await watchEndpoints(environment, filter, pageRequest(request));
      return pageBody(page, await watchedBodies(environment, page.items));
    },
  );

  operation(
    'GET /operator/webhooks/endpoints/:id',
    {
      id: 'read_webhook_endpoint',
      needs: 'viewer',
      summary: 'Show a webhook endpoint, and how deliveries to it go',
      params: endpointParams,
      answer: { description: 'The endpoint.', body: WatchedEndpoint },
    },
    async (request) => {
      const watched = await watchEndpoint(environment, request.params.id);
      return (await watchedBodies(environment, [watched]))(watched);
    },
  );

  operation(
    'POST /operator/webhooks/endpoints/:id/test',
    {
      id: 'send_test_event',
      needs: 'admin',
      summary: 'Send the example of a kind to a webhook endpoint',
      params: endpointParams,
      body: TestOrder,
      answer: { status: 202, description: 'The event; it is sent shortly.', body: Event },
      errors: ['conflict'],
    },
    async (request) => {
      const { endpoint } = await watchEndpoint(environment, request.params.id);
      const wanted = { reach: [endpoint.organizationId], id: endpoint.id };
      const { type, api_version: apiVersion = null } = request.body;
      const event = await audited(environment, request, {
        act: (context) => sendTest(context, wanted, { type, apiVersion }),
        entry: ({ id }) => ({
          action: 'webhook_endpoint.tested',
          organizationId: endpoint.organizationId,
          details: { endpoint_id: endpoint.id, event_id: id },
        }),
      });
      return namedEvent(environment, event);
    },
  );

  operation(
    'GET /operator/webhooks/endpoints/:id/recovery',
    {
      id: 'read_recovery',
      needs: 'viewer',
      summary: 'Show how the last recovery of a webhook endpoint goes',
      params: endpointParams,
      answer: {
        description: 'The recovery.',
        body: object({ recovery: describe(orNull(Recovery), 'Null if there was none.') }),
      },
    },
    async (request) => {
      const { endpoint } = await watchEndpoint(environment, request.params.id);
      const recovery = await lastRecovery(environment, endpoint.id);
      return { recovery: recovery && recoveryBody(recovery) };
    },
  );
}

const eventParams = { id: 'The id of the event.' };

function eventRoutes(app: App, environment: Environment): void {
  const operation = operationsOf(app, 'Webhooks');

  operation(
    'GET /operator/webhooks/queue',
    {
      id: 'read_webhook_queue',
      needs: 'viewer',
      summary: 'Count the events that wait, and the endpoints',
      answer: { description: 'The counts.', body: Queue },
    },
    async () => ({ ...(await overseeQueue(environment)) }),
  );

  operation(
    'GET /operator/webhooks/events',
    {
      id: 'list_all_webhook_events',
      needs: 'viewer',
      summary: 'List the webhook events of all organizations',
      query: {
        ...pageQuery,
        organization_id: optional(AnyId, 'Only those of this organization.'),
        endpoint_id: optional(AnyId, 'Only those for this endpoint.'),
        type: optional(Text, 'Only those of this kind; with an organization or an endpoint.'),
        state: optional(oneOf(eventStates), 'Only those in this state.'),
        api_version: optional(
          Type.String({ maxLength: 20 }),
          'Only those in this version; with an organization, an endpoint or since.',
        ),
        ...periodQuery,
      },
      answer: { description: 'A page of events, newest first.', body: pageOf(Event) },
    },
    async (request) => {
      const { organization_id: organizationId = null, endpoint_id: endpointId = null } = request.query;
      const { type = null, state = null, api_version: apiVersion = null } = request.query;
      const period = periodIn(request.query);
      const wanted = { organizationId, endpointId, type, state, apiVersion, ...period };
      const page = await overseeEvents(environment, wanted, pageRequest(request));
      return pageBody(page, await eventBodies(environment, page.items));
    },
  );

  operation(
    'GET /operator/webhooks/events/:id',
    {
      id: 'read_webhook_event',
      needs: 'viewer',
      summary: 'Show a webhook event, with the body that is sent',
      params: eventParams,
      answer: {
        description: 'The event.',
        body: object({
          ...Event.properties,
          payload: describe(orNull(Text), 'The body, to the byte; null once it is no longer stored.'),
        }),
      },
    },
    async (request) => {
      const { event, payload } = await overseeEvent(environment, request.params.id);
      return { ...(await namedEvent(environment, event)), payload: payload?.toString() ?? null };
    },
  );

  operation(
    'GET /operator/webhooks/events/:id/attempts',
    {
      id: 'list_webhook_attempts',
      needs: 'viewer',
      summary: 'List the attempts to deliver an event, with what was sent and what came back',
      params: eventParams,
      query: pageQuery,
      answer: { description: 'A page of attempts, newest first.', body: pageOf(RecordedAttempt) },
    },
    async (request) =>
      pageBody(await overseeAttempts(environment, request.params.id, pageRequest(request)), attemptBody),
  );

  operation(
    'GET /operator/webhooks/events/:id/preview',
    {
      id: 'preview_webhook_event',
      needs: 'viewer',
      summary: 'Show how an event would look in another version',
      params: eventParams,
      query: { api_version: describe(Type.String({ maxLength: 20 }), 'The other version.') },
      answer: { description: 'Both, and where they differ.', body: Preview },
      errors: ['payload_expired'],
    },
    async (request) => {
      const { from, to, differences } = await previewOverseen(
        environment,
        request.params.id,
        request.query.api_version,
      );
      const rendering = ({ apiVersion, payload }: typeof from) => ({ api_version: apiVersion, payload });
      return { from: rendering(from), to: rendering(to), differences };
    },
  );
}

async function watchedBodies(environment: Environment, watched: readonly StoredEndpoint[]) {
  const bodyOf = await endpointBodies(
    environment,
    watched.map(({ endpoint }) => endpoint),
  );
  return ({ endpoint, health }: StoredEndpoint) => ({
    ...bodyOf(endpoint),
    last_success_at: health.lastSuccessAt?.toISOString() ?? null,
    failing_since: health.failingSince?.toISOString() ?? null,
    failure_count: health.failureCount,
    paused_until: health.pausedUntil?.toISOString() ?? null,
    last_failure: failureBody(health.lastFailure),
  });
}

function attemptBody(attempt: StoredAttempt) {
  const { evidence } = attempt;
  return {
    ...deliveryBody(attempt),
    message: attempt.error === null ? null : failureMessage({ ...attempt, error: attempt.error }),
    sent_headers: evidence?.sentHeaders ?? null,
    answer_headers: evidence?.answerHeaders ?? null,
    stages: evidence?.stageTimes ?? {},
  };
}
