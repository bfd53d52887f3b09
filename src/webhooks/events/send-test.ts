import { createHash } from 'node:crypto';
import type { ApiVersion } from '@dateline/versions';
import type { Context } from '../../environments/environment.ts';
import { newId } from '../../kernel/ids.ts';
import { present } from '../../kernel/presence.ts';
import { chosenVersion, refused } from '../endpoints/check-endpoint.ts';
import { reachableEndpoint } from '../endpoints/read-endpoints.ts';
import { holdEndpoint } from '../endpoints/store.ts';
import type { Wanted } from '../endpoints/with-endpoint.ts';
import { chatText, type RawBody } from '../publishing/chat-text.ts';
import { insertEvents, insertPayloads, type NewEvent } from '../publishing/store.ts';
import {
  DELIVERIES_CHANNEL,
  eventIdPrefix,
  type Format,
  occurrenceIdPrefix,
  type WebhookEvent,
} from '../types.ts';
import { requireEnabled } from './redeliver-event.ts';
import { selectEvent } from './store.ts';

export interface TestOrder {
  type: string;
  /** Null: the one that counts for the endpoint. */
  apiVersion: string | null;
}

/** Sends the example of a kind to one endpoint, subscribed or not. No occurrence is recorded, and no other endpoint gets it. */
export async function sendTest(context: Context, wanted: Wanted, order: TestOrder): Promise<WebhookEvent> {
  return context.transaction(async (inside) => {
    const endpoint = await reachableEndpoint(inside, wanted, holdEndpoint);
    requireEnabled(endpoint);
    const apiVersion =
      order.apiVersion === null
        ? inside.contracts.effective(endpoint.pinnedVersion)
        : chosenVersion(inside, order.apiVersion);
    const { format } = endpoint;
    const createdAt = inside.clock.now();
    const example = {
      ...requireExample(inside, apiVersion, order.type),
      timestamp: createdAt.toISOString(),
      ...(canBeMarked(inside, apiVersion, order.type) ? { test: true } : {}),
    };
    const body = Buffer.from(JSON.stringify(inFormat(format, example)));
    const event: NewEvent = {
      id: newId(eventIdPrefix, createdAt),
      occurrenceId: newId(occurrenceIdPrefix, createdAt),
      endpointId: endpoint.id,
      organizationId: endpoint.organizationId,
      type: order.type,
      apiVersion,
      format,
      payloadSha256: createHash('sha256').update(body).digest(),
      createdAt,
      state: 'pending',
      isTest: true,
    };
    await insertPayloads(inside.session, [{ ...event, body }]);
    await insertEvents(inside.session, [event]);
    inside.signal(DELIVERIES_CHANNEL);
    return present(await selectEvent(inside.session, event.id), 'an event that was just stored');
  });
}

/** Older versions have no place for the mark. */
function canBeMarked({ contracts }: Context, apiVersion: ApiVersion, type: string): boolean {
  const kind = contracts.kindsOf(apiVersion).find((known) => known.kind === type);
  return Object.hasOwn(kind?.schema.properties ?? {}, 'test');
}

export function requireExample(context: Context, apiVersion: ApiVersion, type: string): RawBody {
  const example = exampleOf(context, apiVersion, type);
  if (example) return example;
  const kinds = context.contracts.kindsOf(apiVersion).map(({ kind }) => kind);
  throw refused(`type is none that ${apiVersion} publishes; it publishes ${kinds.join(', ')}`);
}

export function exampleOf({ contracts }: Context, apiVersion: ApiVersion, type: string): RawBody | null {
  const kind = contracts.kindsOf(apiVersion).find((known) => known.kind === type);
  return kind ? (kind.example as RawBody) : null;
}

export function inFormat(format: Format, body: RawBody): object {
  return format === 'raw' ? body : chatText(format, body);
}
