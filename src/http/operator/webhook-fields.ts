import { Type } from 'typebox';
import type { Wire } from '../../contracts/head/operation-parts.ts';
import {
  Endpoint as EndpointSchema,
  Event as EventSchema,
  Recovery as RecoverySchema,
} from '../../contracts/head/webhooks.ts';
import type { Context } from '../../environments/environment.ts';
import { describeEvents } from '../../webhooks/oversight/oversee.ts';
import type { LastFailure as StoredFailure } from '../../webhooks/oversight/store.ts';
import type { Endpoint as StoredEndpoint, WebhookEvent } from '../../webhooks/types.ts';
import { endpointBody, eventBody } from '../api/operations/webhook-bodies.ts';
import { failureMessage } from './failure-message.ts';
import { describe, described, object, orNull, Text, Time } from './fields.ts';
import { nameField, namesOf } from './names.ts';

const LastFailure = object({
  at: describe(Time, 'When the attempt began.'),
  status: describe(orNull(Type.Integer()), 'The status of the answer; null if none came.'),
  error: describe(Text, 'Why it failed: status, timeout, connection_refused and so on.'),
  message: describe(Text, 'The same in words.'),
});

/** Of a list, whose readers want to know why before they look further. */
export const lastFailure = describe(
  orNull(LastFailure),
  'The last attempt that failed; null if none did, or it is no longer stored.',
);

export const Endpoint = object({
  organization_name: nameField('The name of that organization; null if it is gone.'),
  ...described(EndpointSchema, {
    id: 'Begins with whe_.',
    organization_id: 'The organization whose events it receives.',
    url: 'Where events are sent.',
    format: 'How they are written: raw JSON, or a message for Slack or Discord.',
    events: 'The kinds that it receives.',
    api_version: 'The version that its events have.',
    pinned_version: 'The version that was chosen for it; it differs once that one is removed.',
    enabled: 'Whether events are sent.',
    disabled_reason: 'Why not; null while it is enabled.',
    description: 'The description that its owner gave it.',
    max_per_second: 'How many events a second it takes at most; null for no bound of its own.',
    created_by: 'The client and the user that made it; null where that is not known.',
    created_at: 'When it was created.',
    modified_at: 'When it was last changed.',
  }).properties,
  created_by: describe(
    orNull(
      object({
        client_id: describe(Text, 'The client that made it.'),
        client_name: nameField(),
        user_id: describe(
          orNull(Text),
          'The user whose token it was; null for a token of the client itself.',
        ),
        user_name: nameField('The name of the user now; null if there is none.'),
      }),
    ),
    'Who made it; null where that is not known.',
  ),
});

export const Event = object({
  endpoint_url: describe(orNull(Text), 'Where that endpoint is; null if it is no longer stored.'),
  organization_name: nameField('The name of that organization; null if it is gone.'),
  last_failure: lastFailure,
  ...described(EventSchema, {
    id: 'Begins with evt_. It is the webhook-id of its deliveries.',
    occurrence_id: 'What happened; events of several endpoints may be about the same.',
    endpoint_id: 'The endpoint that it is for.',
    organization_id: 'The organization of the endpoint.',
    type: 'The kind of the event.',
    api_version: 'The version that it was rendered in.',
    format: 'How it is written.',
    created_at: 'When it happened.',
    payload_sha256: 'The hash of what is sent; null once that is no longer stored.',
    state: 'The state of its delivery.',
    attempt_count: 'The number of delivery attempts.',
    next_attempt_at: 'The time of the next attempt; null if there is none.',
    test: 'Whether it was sent to try the endpoint out.',
  }).properties,
});

export const Recovery = described(RecoverySchema, {
  id: 'Begins with rec_.',
  endpoint_id: 'The endpoint whose events are sent again.',
  since: 'From when on.',
  state: 'Whether it is still going on.',
  started_at: 'When it was started.',
  total: 'How many events it sends again.',
  remaining: 'How many of them are still to come.',
  delivered: 'How many were delivered.',
  failed: 'How many could not be delivered.',
});

/** Writes the endpoints of an answer, with the names that belong to their ids. */
export async function endpointBodies(context: Context, endpoints: readonly StoredEndpoint[]) {
  const nameOf = await namesOf(
    context,
    endpoints.flatMap(({ organizationId, madeBy }) => [organizationId, madeBy?.clientId, madeBy?.userId]),
  );
  return (endpoint: StoredEndpoint): Wire<typeof Endpoint> => {
    const { madeBy } = endpoint;
    return {
      ...endpointBody(context, endpoint),
      organization_name: nameOf(endpoint.organizationId),
      created_by: madeBy && {
        client_id: madeBy.clientId,
        client_name: nameOf(madeBy.clientId),
        user_id: madeBy.userId,
        user_name: nameOf(madeBy.userId),
      },
    };
  };
}

export async function namedEndpoint(context: Context, endpoint: StoredEndpoint) {
  return (await endpointBodies(context, [endpoint]))(endpoint);
}

/** Writes the events of an answer, with the names that belong to their ids, and how they failed last. */
export async function eventBodies(context: Context, events: readonly WebhookEvent[]) {
  const descriptionOf = await describeEvents(context, events);
  const nameOf = await namesOf(
    context,
    events.map(({ organizationId }) => organizationId),
  );
  return (event: WebhookEvent): Wire<typeof Event> => {
    const description = descriptionOf(event);
    return {
      ...eventBody(event),
      endpoint_url: description.endpointUrl,
      organization_name: nameOf(event.organizationId),
      last_failure: failureBody(description.lastFailure),
    };
  };
}

export async function namedEvent(context: Context, event: WebhookEvent) {
  return (await eventBodies(context, [event]))(event);
}

export function failureBody(failure: StoredFailure | null) {
  if (failure === null) return null;
  const { at, status, error } = failure;
  return { at: at.toISOString(), status, error, message: failureMessage(failure) };
}
