import type { Context } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { type Page, type PageRequest, toPage } from '../../kernel/page.ts';
import type { Reach } from '../endpoints/read-endpoints.ts';
import { type Attempt, isEventId, type WebhookEvent } from '../types.ts';
import {
  type AttemptFilter,
  type EventFilter,
  type EventWindow,
  selectAttempts,
  selectEvent,
  selectEvents,
} from './store.ts';

/** Newest first. */
export async function listEvents(
  context: Context,
  reach: Reach,
  { after, limit, ...filter }: EventFilter & PageRequest,
  window?: EventWindow,
): Promise<Page<WebhookEvent>> {
  const stretch = { before: after, limit: limit + 1 };
  const rows = await selectEvents(context.session, reach, { ...filter, ...stretch }, window);
  return toPage(rows, limit, ({ id }) => id);
}

/** An event of another organization is reported as not found. */
export async function readEvent(context: Context, reach: Reach, id: string): Promise<WebhookEvent> {
  const event = isEventId(id) ? await selectEvent(context.session, id) : null;
  if (!event || !reach.includes(event.organizationId)) throw new ApiError('not_found');
  return event;
}

/** Newest first. */
export async function listAttempts(
  context: Context,
  reach: Reach,
  { after, limit, ...filter }: AttemptFilter & PageRequest,
): Promise<Page<Attempt>> {
  const rows = await selectAttempts(context.session, reach, { ...filter, before: after, limit: limit + 1 });
  return toPage(rows, limit, ({ id }) => id);
}
