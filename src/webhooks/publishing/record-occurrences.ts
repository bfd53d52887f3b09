import { createHash } from 'node:crypto';
import type { Scene } from '../../environments/environment.ts';
import { newId } from '../../kernel/ids.ts';
import type { ApiVersion } from '../../versions/api-version.ts';
import {
  DELIVERIES_CHANNEL,
  eventIdPrefix,
  type NewOccurrence,
  type Occurrence,
  occurrenceIdPrefix,
} from '../types.ts';
import { eventIn, renderPayload } from './render-payload.ts';
import {
  type Addressed,
  insertEvents,
  insertOccurrences,
  insertPayloads,
  lockAddressees,
  type NewEvent,
  type NewPayload,
} from './store.ts';

// A statement takes 65,535 parameters at most.
const RECORDED_AT_ONCE_MAX = 1_000;

/**
 * Writes down what happened, and what each endpoint that wants to know will be sent. Called inside the transaction that
 * makes it happen: no change without its events, no event without its change.
 */
export async function recordOccurrences(scene: Scene, news: readonly NewOccurrence[]): Promise<void> {
  if (news.length === 0) return;
  if (news.length > RECORDED_AT_ONCE_MAX) {
    await recordOccurrences(scene, news.slice(0, RECORDED_AT_ONCE_MAX));
    return recordOccurrences(scene, news.slice(RECORDED_AT_ONCE_MAX));
  }
  const occurredAt = scene.clock.now();
  const occurrences = news.map((occurrence) => ({
    ...occurrence,
    data: wellFormed(occurrence.data),
    id: newId<'occurrence'>(occurrenceIdPrefix, occurredAt),
    occurredAt,
  }));
  await insertOccurrences(scene.session, occurrences);
  const addressed = await lockAddressees(scene.session, addressesOf(scene, occurrences));
  if (addressed.length === 0) return;
  const payloads = render(scene, occurrences, addressed);
  await insertPayloads(scene.session, [...payloads.values()]);
  await insertEvents(scene.session, toEvents(addressed, { payloads, createdAt: occurredAt }));
  scene.signal(DELIVERIES_CHANNEL);
}

/** Half of a surrogate pair is no character: it is stored as the one that stands for those, and told as it is stored. */
function wellFormed(data: NewOccurrence['data']): NewOccurrence['data'] {
  const text = JSON.stringify(data, (_key, value) =>
    typeof value === 'string' ? Buffer.from(value).toString() : value,
  );
  return JSON.parse(text) as NewOccurrence['data'];
}

/** Whom each occurrence concerns, and what it is called in each version that knows of it. */
function addressesOf(scene: Scene, occurrences: readonly Occurrence[]) {
  const [oldest, , newest] = scene.contracts.maintained() as [ApiVersion, ApiVersion, ApiVersion];
  return {
    oldest,
    newest,
    concerned: occurrences.flatMap(({ id, organizationIds }) =>
      organizationIds.map((organizationId) => ({ occurrenceId: id, organizationId })),
    ),
    kinds: occurrences.flatMap((occurrence) =>
      scene.contracts.maintained().flatMap((apiVersion) => {
        const kind = kindIn(scene, apiVersion, occurrence);
        return kind === null ? [] : [{ occurrenceId: occurrence.id, apiVersion, kind }];
      }),
    ),
  };
}

/** A change that cannot be bridged must not stop what caused it: the event is kept, and sent when it can be told. */
function kindIn(scene: Scene, version: ApiVersion, occurrence: Occurrence): string | null {
  try {
    return eventIn(scene, version, occurrence)?.kind ?? null;
  } catch {
    return occurrence.type;
  }
}

/** Once per occurrence, version and format, however many endpoints share it. */
function render(
  scene: Scene,
  occurrences: readonly Occurrence[],
  addressed: readonly Addressed[],
): Map<string, NewPayload> {
  const byId = new Map(occurrences.map((occurrence) => [occurrence.id, occurrence]));
  const payloads = new Map<string, NewPayload>();
  for (const { occurrenceId, apiVersion, format } of addressed) {
    const key = payloadKey({ occurrenceId, apiVersion, format });
    if (payloads.has(key)) continue;
    const body = rendered(scene, byId.get(occurrenceId) as Occurrence, { apiVersion, format });
    payloads.set(key, { occurrenceId, apiVersion, format, body });
  }
  return payloads;
}

function rendered(
  scene: Scene,
  occurrence: Occurrence,
  as: Pick<Addressed, 'apiVersion' | 'format'>,
): Buffer | null {
  try {
    return renderPayload(scene, occurrence, as);
  } catch {
    // Whoever sends it tries again, and says what is wrong.
    return null;
  }
}

function toEvents(
  addressed: readonly Addressed[],
  { payloads, createdAt }: { payloads: ReadonlyMap<string, NewPayload>; createdAt: Date },
): NewEvent[] {
  return addressed.map(({ disabled, ...address }) => {
    const body = payloads.get(payloadKey(address))?.body;
    return {
      ...address,
      id: newId(eventIdPrefix, createdAt),
      payloadSha256: body ? createHash('sha256').update(body).digest() : null,
      createdAt,
      state: disabled ? 'held' : 'pending',
    };
  });
}

function payloadKey({ occurrenceId, apiVersion, format }: Omit<NewPayload, 'body'>): string {
  return `${occurrenceId} ${apiVersion} ${format}`;
}
