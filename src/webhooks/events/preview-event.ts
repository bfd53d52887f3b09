import { type ApiVersion, type Difference, differencesBetween } from '@dateline/versions';
import type { Context } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { chosenVersion, refused } from '../endpoints/check-endpoint.ts';
import { type Reach, readEndpoint } from '../endpoints/read-endpoints.ts';
import type { Wanted } from '../endpoints/with-endpoint.ts';
import { eventIn, renderPayload } from '../publishing/render-payload.ts';
import type { Endpoint, WebhookEvent } from '../types.ts';
import { readEvent } from './read-events.ts';
import { exampleOf, inFormat, requireExample } from './send-test.ts';
import { selectOccurrence, selectPayload } from './store.ts';

export interface PreviewOrder {
  /** One of these two. */
  eventId: string | null;
  type: string | null;
  apiVersion: string;
}

export interface Rendering {
  apiVersion: ApiVersion;
  /** Null: this version does not publish it. */
  payload: Readonly<Record<string, unknown>> | null;
}

export interface Preview {
  from: Rendering;
  to: Rendering;
  differences: Difference[];
}

/** Shows an event of this endpoint, or the example of a kind, in another version. Nothing is sent. */
export async function previewEvent(context: Context, wanted: Wanted, order: PreviewOrder): Promise<Preview> {
  const endpoint = await readEndpoint(context, wanted.reach, wanted.id);
  const other = chosenVersion(context, order.apiVersion);
  if ((order.eventId === null) === (order.type === null)) throw refused('Name one of event_id and type');
  const [from, to] =
    order.type === null
      ? await pastEvent(
          context,
          await eventOf(context, wanted.reach, { endpoint, id: order.eventId ?? '' }),
          other,
        )
      : examples(context, endpoint, { type: order.type, other });
  // Where one version does not publish the event, everything differs: no list is needed.
  const differences = from.payload && to.payload ? differencesBetween(from.payload, to.payload) : [];
  return { from, to, differences };
}

async function eventOf(
  context: Context,
  reach: Reach,
  { endpoint, id }: { endpoint: Endpoint; id: string },
): Promise<WebhookEvent> {
  const event = await readEvent(context, reach, id);
  if (event.endpointId !== endpoint.id) throw new ApiError('not_found');
  return event;
}

/** As it was sent, and as it would have been. */
async function pastEvent(
  context: Context,
  event: WebhookEvent,
  other: ApiVersion,
): Promise<[Rendering, Rendering]> {
  const sent = await selectPayload(context.session, event);
  const occurrence = await selectOccurrence(context.session, event.occurrenceId);
  if (!sent || !occurrence)
    throw new ApiError('payload_expired', {
      detail: 'The data of this event is no longer stored, or it was a test. Preview its type instead.',
    });
  const isPublished = eventIn(context, other, occurrence) !== null;
  const there = isPublished
    ? renderPayload(context, occurrence, { apiVersion: other, format: event.format })
    : null;
  return [
    { apiVersion: event.apiVersion, payload: JSON.parse(sent.toString()) },
    { apiVersion: other, payload: there && JSON.parse(there.toString()) },
  ];
}

function examples(
  context: Context,
  { pinnedVersion, format }: Endpoint,
  { type, other }: { type: string; other: ApiVersion },
): [Rendering, Rendering] {
  const own = context.contracts.effective(pinnedVersion);
  const there = exampleOf(context, other, type);
  return [
    { apiVersion: own, payload: { ...inFormat(format, requireExample(context, own, type)) } },
    { apiVersion: other, payload: there && { ...inFormat(format, there) } },
  ];
}
