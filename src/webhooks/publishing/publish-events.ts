import type { ValidationFinding } from '@dateline/versions';
import type { Context } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { digestOf, digestsEqual } from '../../kernel/digest.ts';
import { newId } from '../../kernel/ids.ts';
import { canonicalJson } from '../../kernel/json.ts';
import { present } from '../../kernel/presence.ts';
import { UndoneError } from '../../storage/storage-error.ts';
import { type NewOccurrence, type OccurrenceId, occurrenceIdPrefix } from '../types.ts';
import { eventFindings, inBatch, type PlacedEvent, type SentEvent } from './event-findings.ts';
import type { FolderKinds } from './folder-kinds.ts';
import { recordOccurrences } from './record-occurrences.ts';
import { unstorable } from './storable-data.ts';
import { type Claim, insertClaims, selectClaims } from './store.ts';

export interface Publication {
  events: readonly SentEvent[];
  folderKinds: FolderKinds;
  /** Checks everything, and publishes nothing. */
  dryRun: boolean;
}

export interface PublishedEvent {
  givenId: string;
  type: string;
  /** Null: this is a dry run, and the event was not published before. */
  occurrenceId: OccurrenceId | null;
  /** It was published before, or stands earlier in the same batch. */
  already: boolean;
}

/** A whole batch is published, or nothing of it; findings are at places such as `/events/3/data/total`. */
export type Outcome = { published: readonly PublishedEvent[] } | { refused: readonly ValidationFinding[] };

/**
 * Publishes events that somebody else tells of. What was published under the same id is not published again, so a sender
 * that got no answer sends its batch once more.
 */
export async function publishEvents(context: Context, publication: Publication): Promise<Outcome> {
  const { folderKinds, dryRun } = publication;
  requireFolderKinds(folderKinds);
  const placed = publication.events.map((event, index) => ({ ...event, index }));
  const lost = inBatch(placed, unstorable);
  if (lost.length > 0) return { refused: lost };
  const events = placed.map(identify);
  const firsts = firstOfEachId(events);
  // These are not checked again: a repetition succeeds, also if the contract has moved on meanwhile.
  const known = await knownOf(context, [...firsts.values()]);
  const repeated = [...firsts.values()].filter(({ key }) => known.has(key));
  const fresh = [...firsts.values()].filter(({ key }) => !known.has(key));
  const refused = await eventFindings(context, folderKinds, fresh);
  if (refused.length > 0) return { refused };
  const made = dryRun
    ? known
    : await context.transaction(
        async (inside) => {
          await requireStillKnown(inside, repeated, known);
          return publishOnce(inside, fresh);
        },
        { endsNoAccess: true },
      );
  return {
    published: events.map(({ givenId, type, key, index }) => {
      const { occurrenceId = null, already = false } = known.get(key) ?? made.get(key) ?? {};
      return { givenId, type, occurrenceId, already: already || firsts.get(key)?.index !== index };
    }),
  };
}

function requireFolderKinds({ kinds }: FolderKinds): void {
  if (kinds.size > 0) return;
  throw new ApiError('validation_failed', {
    detail: 'This service has no event kinds of its own; name an API folder.',
  });
}

/** An event with what tells it apart from others. */
interface IdentifiedEvent extends PlacedEvent {
  key: string;
  digest: Buffer;
}

function identify(event: PlacedEvent): IdentifiedEvent {
  const { type, data } = event;
  return { ...event, key: keyOf(event), digest: digestOf(canonicalJson({ type, data })) };
}

function keyOf({ organizationId, givenId }: Pick<SentEvent, 'organizationId' | 'givenId'>): string {
  return JSON.stringify([organizationId, givenId]);
}

function firstOfEachId(events: readonly IdentifiedEvent[]): ReadonlyMap<string, IdentifiedEvent> {
  const firsts = new Map<string, IdentifiedEvent>();
  for (const event of events) {
    const first = firsts.get(event.key) ?? event;
    requireSame(event, first.digest);
    firsts.set(event.key, first);
  }
  return firsts;
}

function requireSame({ givenId, index, digest }: IdentifiedEvent, other: Uint8Array): void {
  if (digestsEqual(digest, other)) return;
  throw new ApiError('conflict', {
    detail: `events[${index}].id ${givenId} was used before, with another type or other data. Nothing of this batch was published.`,
  });
}

/** The published events, by their keys. */
type Made = ReadonlyMap<string, Pick<PublishedEvent, 'already'> & { occurrenceId: OccurrenceId }>;

/** Finds events that were published before. Throws if something else was, under one of their ids. */
async function knownOf({ session }: Context, events: readonly IdentifiedEvent[]): Promise<Made> {
  if (events.length === 0) return new Map();
  const byKey = new Map(events.map((event) => [event.key, event]));
  const claims = await selectClaims(session, events);
  return new Map(
    claims.map((claim) => {
      const key = keyOf(claim);
      requireSame(present(byKey.get(key), 'the event of a claim'), claim.digest);
      return [key, { occurrenceId: claim.occurrenceId, already: true }];
    }),
  );
}

/** A failover undoes what was published a moment ago, and was not durable yet: then it is new. */
async function requireStillKnown(
  context: Context,
  events: readonly IdentifiedEvent[],
  known: Made,
): Promise<void> {
  const still = await knownOf(context, events);
  const isUndone = ({ key }: IdentifiedEvent): boolean =>
    still.get(key)?.occurrenceId !== known.get(key)?.occurrenceId;
  if (events.some(isUndone)) throw new UndoneError();
}

/** Whoever takes an id first publishes the event. Who comes second waits for that, and learns of its occurrence. */
async function publishOnce(context: Context, events: readonly IdentifiedEvent[]): Promise<Made> {
  if (events.length === 0) return new Map();
  const now = context.clock.now();
  const claims = events.map((event) => ({
    ...event,
    occurrenceId: newId<'occurrence'>(occurrenceIdPrefix, now),
  }));
  const taken = await insertClaims(context.session, claims);
  const mine = claims.filter(({ occurrenceId }) => taken.has(occurrenceId));
  const others = claims.filter(({ occurrenceId }) => !taken.has(occurrenceId));
  const theirs = await knownOf(context, others);
  // Housekeeping may have removed one since: the sender tries again, and it is new.
  if (theirs.size < others.length)
    throw new ApiError('storage_unavailable', { internal: 'an id of an event was forgotten a moment ago' });
  await recordOccurrences(context, mine.map(toOccurrence));
  return new Map([
    ...mine.map(({ key, occurrenceId }) => [key, { occurrenceId, already: false }] as const),
    ...theirs,
  ]);
}

function toOccurrence(event: IdentifiedEvent & Claim): NewOccurrence {
  const { occurrenceId: id, type, organizationId, data, occurredAt } = event;
  return { id, type, organizationIds: [organizationId], data, ...(occurredAt && { occurredAt }) };
}
