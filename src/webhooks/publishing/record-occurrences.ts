import { createHash } from 'node:crypto';
import type { ApiVersion } from '@dateline/versions';
import type { Context } from '../../environments/environment.ts';
import { newId } from '../../kernel/ids.ts';
import { storableJson } from '../../kernel/json.ts';
import {
  DELIVERIES_CHANNEL,
  type EndpointId,
  eventIdPrefix,
  type NewOccurrence,
  type Occurrence,
  occurrenceIdPrefix,
} from '../types.ts';
import { isWanted, namesOf } from '../wanted-kinds.ts';
import { isWithheld } from '../withheld-kinds.ts';
import { eventIn, renderPayload } from './render-payload.ts';
import {
  haveEndpoints,
  insertEvents,
  insertOccurrences,
  insertPayloads,
  lockSubscribers,
  type NewEvent,
  type NewPayload,
  type Subscriber,
} from './store.ts';

// A statement takes 65,535 parameters at most.
const RECORDED_AT_ONCE_MAX = 1_000;

/**
 * Stores what happened, and the event that each subscribed endpoint will be sent. Called in the transaction that makes the
 * change: no change without its events, no event without its change.
 */
export async function recordOccurrences(
  context: Context,
  news: readonly NewOccurrence[],
  options: { except?: readonly EndpointId[] } = {},
): Promise<void> {
  if (news.length === 0) return;
  if (news.length > RECORDED_AT_ONCE_MAX) {
    await recordOccurrences(context, news.slice(0, RECORDED_AT_ONCE_MAX), options);
    return recordOccurrences(context, news.slice(RECORDED_AT_ONCE_MAX), options);
  }
  const recordedAt = context.clock.now();
  const occurrences = news.map(({ id, type, organizationIds, data, occurredAt }) => ({
    id: id ?? newId<'occurrence'>(occurrenceIdPrefix, recordedAt),
    type,
    organizationIds,
    data,
    occurredAt: occurredAt ?? recordedAt,
  }));
  await insertOccurrences(context.session, occurrences);
  const organizationIds = [...new Set(occurrences.flatMap((occurrence) => occurrence.organizationIds))];
  // What it is called in each version takes longer to find out than all the rest.
  if (!(await haveEndpoints(context.session, organizationIds))) return;
  const named = occurrences
    .map((occurrence) => ({ ...occurrence, data: wellFormed(occurrence.data) }))
    .map((occurrence) => ({ occurrence, kinds: kindsOf(context, occurrence) }));
  const subscribers = await lockSubscribers(context.session, {
    organizationIds,
    names: [...new Set(named.flatMap(({ kinds }) => [...kinds.values()].flatMap(namesOf)))],
  });
  const except = new Set(options.except);
  const others = subscribers.filter(({ endpointId }) => !except.has(endpointId));
  const addressed = named.flatMap((one) => addresseesOf(context, one, others));
  if (addressed.length === 0) return;
  const payloads = render(context, addressed);
  await insertPayloads(context.session, [...payloads.values()]);
  await insertEvents(
    context.session,
    // Lists, first attempts and retention go by when an event is made, whenever that happened which it is about.
    addressed.map((one) => toEvent(one, payloads, recordedAt)),
  );
  context.signal(DELIVERIES_CHANNEL);
}

/** Replaces lone surrogates by U+FFFD, so that what is sent is what the database could store. */
function wellFormed(data: NewOccurrence['data']): NewOccurrence['data'] {
  const text = storableJson(data);
  return text.includes('\ufffd') ? JSON.parse(text) : data;
}

/** The name of an occurrence in each version that knows of it. */
type Kinds = ReadonlyMap<ApiVersion, string>;

function kindsOf(context: Context, occurrence: Occurrence): Kinds {
  const kinds = context.contracts
    .maintained()
    .map((version) => [version, kindIn(context, version, occurrence)] as const);
  return new Map(kinds.filter((pair): pair is [ApiVersion, string] => pair[1] !== null));
}

/** A failing downgrade must not fail the change that caused the event: it is stored, and sent once it can be rendered. */
function kindIn(context: Context, version: ApiVersion, occurrence: Occurrence): string | null {
  try {
    return eventIn(context, version, occurrence)?.kind ?? null;
  } catch {
    return occurrence.type;
  }
}

/** An endpoint that gets an occurrence, and how. */
interface Addressed {
  occurrence: Occurrence;
  subscriber: Subscriber;
  type: string;
  apiVersion: ApiVersion;
  withheld: boolean;
}

function addresseesOf(
  context: Context,
  { occurrence, kinds }: { occurrence: Occurrence; kinds: Kinds },
  subscribers: readonly Subscriber[],
): Addressed[] {
  return subscribers.flatMap((subscriber) => {
    if (!occurrence.organizationIds.includes(subscriber.organizationId)) return [];
    const apiVersion = context.contracts.effective(subscriber.pinnedVersion);
    const type = kinds.get(apiVersion);
    if (type === undefined || !isWanted(subscriber.events, type)) return [];
    const withheld = !subscriber.isDisabled && isWithheld(context, subscriber, type);
    return [{ occurrence, subscriber, type, apiVersion, withheld }];
  });
}

interface Rendered extends NewPayload {
  sha256: Buffer | null;
}

/** Once per occurrence, version and format, however many endpoints share it. */
function render(context: Context, addressed: readonly Addressed[]): Map<string, Rendered> {
  const payloads = new Map<string, Rendered>();
  for (const { occurrence, subscriber, apiVersion } of addressed) {
    const as = { occurrenceId: occurrence.id, apiVersion, format: subscriber.format };
    const key = payloadKey(as);
    if (payloads.has(key)) continue;
    const body = rendered(context, occurrence, as);
    payloads.set(key, { ...as, body, sha256: body && createHash('sha256').update(body).digest() });
  }
  return payloads;
}

function rendered(
  context: Context,
  occurrence: Occurrence,
  as: Pick<NewPayload, 'apiVersion' | 'format'>,
): Buffer | null {
  try {
    return renderPayload(context, occurrence, as);
  } catch {
    // The worker that sends it renders it again, and logs what is wrong.
    return null;
  }
}

function toEvent(
  { occurrence, subscriber, type, apiVersion, withheld }: Addressed,
  payloads: ReadonlyMap<string, Rendered>,
  createdAt: Date,
): NewEvent {
  const { endpointId, organizationId, format, isDisabled } = subscriber;
  const { id: occurrenceId } = occurrence;
  return {
    id: newId(eventIdPrefix, createdAt),
    occurrenceId,
    endpointId,
    organizationId,
    type,
    apiVersion,
    format,
    payloadSha256: payloads.get(payloadKey({ occurrenceId, apiVersion, format }))?.sha256 ?? null,
    createdAt,
    state: isDisabled || withheld ? 'held' : 'pending',
    withheld,
  };
}

function payloadKey({ occurrenceId, apiVersion, format }: Omit<NewPayload, 'body'>): string {
  return `${occurrenceId} ${apiVersion} ${format}`;
}
