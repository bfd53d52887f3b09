import type { Context } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { type Page, type PageRequest, toPage } from '../../kernel/page.ts';
import { present } from '../../kernel/presence.ts';
import type { Session } from '../../storage/database.ts';
import { type Preview, previewEvent } from '../events/preview-event.ts';
import { listEvents } from '../events/read-events.ts';
import { type EventFilter, type EventWindow, selectEvent, selectPayload } from '../events/store.ts';
import { isEndpointId, isEventId, type RecordedAttempt, type WebhookEvent } from '../types.ts';
import {
  countQueue,
  type EventDescription,
  type QueueCounts,
  type SelectedEndpoint,
  selectAllEvents,
  selectEventDescriptions,
  selectLastFailures,
  selectRecordedAttempts,
  selectWatchedEndpoint,
  selectWatchedEndpoints,
  type WatchedEndpoint,
  type WatchFilter,
} from './store.ts';

// For operators, who see the webhooks of all organizations.

export interface WatchedEndpoints extends Omit<WatchFilter, 'pinned'> {
  /** The version of their events. */
  apiVersion: string | null;
}

export async function watchEndpoints(
  { session, contracts }: Context,
  { apiVersion, ...filter }: WatchedEndpoints,
  page: PageRequest,
): Promise<Page<WatchedEndpoint>> {
  const pinned = apiVersion === null ? null : pinsOf(contracts.maintained(), apiVersion);
  const { items, next } = toPage(
    await selectWatchedEndpoints(session, { ...filter, pinned }, page),
    page.limit,
    ({ endpoint }) => endpoint.id,
  );
  return { items: await withLastFailures(session, items), next };
}

export async function watchEndpoint({ session }: Context, id: string): Promise<WatchedEndpoint> {
  const found = isEndpointId(id) ? await selectWatchedEndpoint(session, id) : null;
  if (!found) throw new ApiError('not_found', { detail: 'There is no webhook endpoint with this id.' });
  const [watched] = await withLastFailures(session, [found]);
  return present(watched, 'the endpoint that was found');
}

/** The pins that lead to a version: the first and the last that are maintained stand for all beyond them. */
function pinsOf(maintained: readonly string[], wanted: string): { first: string; last: string } {
  const place = maintained.indexOf(wanted);
  if (place < 0)
    throw new ApiError('validation_failed', {
      detail: `api_version must be one of ${maintained.join(', ')}.`,
    });
  return {
    first: place === 0 ? '' : wanted,
    last: place === maintained.length - 1 ? '~' : wanted,
  };
}

async function withLastFailures(
  session: Session,
  watched: readonly SelectedEndpoint[],
): Promise<WatchedEndpoint[]> {
  const failures = await selectLastFailures(
    session,
    watched.map(({ endpoint }) => endpoint.id),
  );
  return watched.map(({ endpoint, health }) => ({
    endpoint,
    health: { ...health, lastFailure: failures.get(endpoint.id) ?? null },
  }));
}

export interface OverseenEvents extends EventFilter, EventWindow {
  organizationId: string | null;
}

const WINDOW_DAYS_MAX = 31;

const daysAgo = ({ clock }: Context, days: number): Date =>
  new Date(clock.now().getTime() - days * 86_400_000);

/**
 * Newest first. By type only within one organization or endpoint, and by version only there or within some weeks: there is no
 * index for all of them.
 */
export async function overseeEvents(
  context: Context,
  { organizationId, apiVersion, since, until, ...filter }: OverseenEvents,
  page: PageRequest,
): Promise<Page<WebhookEvent>> {
  const { endpointId, type, state } = filter;
  const window = { apiVersion, since, until };
  if (organizationId === null && endpointId === null) {
    if (type !== null)
      throw new ApiError('validation_failed', {
        detail: 'A type needs an organization_id or an endpoint_id beside it.',
      });
    if (apiVersion !== null && (since === null || since < daysAgo(context, WINDOW_DAYS_MAX)))
      throw new ApiError('validation_failed', {
        detail: `An api_version needs an organization_id, an endpoint_id or a since of the last ${WINDOW_DAYS_MAX} days beside it.`,
      });
    return toPage(
      await selectAllEvents(context.session, { state, ...window }, page),
      page.limit,
      ({ id }) => id,
    );
  }
  const reach = organizationId ?? (await watchEndpoint(context, endpointId ?? '')).endpoint.organizationId;
  return listEvents(context, [reach], { ...filter, ...page }, window);
}

/** Finds what lists show of events beside them: the address of the endpoint, and how the last attempt that failed did. */
export async function describeEvents(
  { session }: Context,
  events: readonly WebhookEvent[],
): Promise<(event: WebhookEvent) => EventDescription> {
  const descriptions = await selectEventDescriptions(session, events);
  return ({ id }) => descriptions.get(id) ?? { endpointUrl: null, lastFailure: null };
}

export interface OverseenEvent {
  event: WebhookEvent;
  /** The bytes of every attempt; null once they are no longer stored, or while they could not be rendered. */
  payload: Buffer | null;
}

export async function overseeEvent(context: Context, id: string): Promise<OverseenEvent> {
  const event = await knownEvent(context, id);
  return { event, payload: (await selectPayload(context.session, event)) ?? null };
}

/** Newest first. */
export async function overseeAttempts(
  context: Context,
  eventId: string,
  page: PageRequest,
): Promise<Page<RecordedAttempt>> {
  const { id } = await knownEvent(context, eventId);
  const rows = await selectRecordedAttempts(context.session, id, page);
  return toPage(rows, page.limit, (attempt) => attempt.id);
}

/** As it was sent, and as it would be in another version. */
export async function previewOverseen(context: Context, id: string, apiVersion: string): Promise<Preview> {
  const { organizationId, endpointId } = await knownEvent(context, id);
  const wanted = { reach: [organizationId], id: endpointId };
  return previewEvent(context, wanted, { eventId: id, type: null, apiVersion });
}

export function overseeQueue({ session, clock }: Context): Promise<QueueCounts> {
  return countQueue(session, clock.now());
}

async function knownEvent({ session }: Context, id: string): Promise<WebhookEvent> {
  const event = isEventId(id) ? await selectEvent(session, id) : null;
  if (!event) throw new ApiError('not_found', { detail: 'There is no webhook event with this id.' });
  return event;
}
