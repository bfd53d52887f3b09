import type { Kysely } from 'kysely';
import { firstIdAt, ID_END, idsWithin, type Period } from '../../kernel/ids.ts';
import { present } from '../../kernel/presence.ts';
import type { Session } from '../../storage/database.ts';
import { type Statement, statement } from '../../storage/statement.ts';
import {
  type Attempt,
  type EndpointId,
  type EventId,
  type EventState,
  eventIdPrefix,
  type Occurrence,
  type OccurrenceId,
  type RecoveryId,
  type WebhookEvent,
} from '../types.ts';

interface Tables {
  webhook_recoveries: {
    id: RecoveryId;
    endpoint_id: EndpointId;
    since: Date;
    started_at: Date;
    event_count: number;
    cancelled_at: Date | null;
  };
}

const tables = (session: Session): Kysely<Tables> => session.tables<Tables>();

const COLUMNS = `id, occurrence_id as "occurrenceId", endpoint_id as "endpointId",
  organization_id as "organizationId", type, api_version as "apiVersion", format,
  payload_sha256 as "payloadSha256", created_at as "createdAt", state, attempt_count as "attemptCount",
  next_attempt_at as "nextAttemptAt", is_test as "isTest"`;

const SELECT_EVENT = statement(
  'select_webhook_event',
  `select ${COLUMNS} from {schema}.webhook_events where id = $1`,
);

export async function selectEvent(session: Session, id: EventId): Promise<WebhookEvent | null> {
  const [event] = await session.run<WebhookEvent>(SELECT_EVENT, [id]);
  return event ?? null;
}

export interface EventFilter {
  endpointId: string | null;
  type: string | null;
  state: EventState | null;
}

/** What operators narrow events down by, besides; null for any. */
export interface EventWindow extends Period {
  apiVersion: string | null;
}

const EVERY_EVENT: EventWindow = { apiVersion: null, since: null, until: null };

/** Newest first: those before this id, and no more than so many. */
export interface Stretch {
  before: string | null;
  limit: number;
}

const OF_VERSION = '($7::text is null or api_version = $7)';
const FILTER = `($4::text is null or type = $4) and ($5::text is null or state = $5) and ${OF_VERSION}`;

// Organization by organization, so that each is read from the end of its index, however many rows there are. It is written
// as a range because the database would otherwise read all organizations' rows by id, and might find none of this one's.
const OF_ORGANIZATION = '(organization_id, id) < (o.id, $2) and organization_id >= o.id';

const LIST_EVENTS = statement(
  'list_webhook_events',
  `select e.* from unnest($1::text[]) as o(id), lateral (
     select ${COLUMNS} from {schema}.webhook_events
     where (organization_id, id) < (o.id, $2) and (organization_id, id) >= (o.id, $6) and ${FILTER}
     order by organization_id desc, id desc limit $3) e
   order by e.id desc limit $3`,
);
const LIST_EVENTS_OF_ENDPOINT = statement(
  'list_webhook_events_of_endpoint',
  `select ${COLUMNS} from {schema}.webhook_events
   where endpoint_id = $8 and organization_id = any($1::text[]) and id < $2 and id >= $6 and ${FILTER}
   order by id desc limit $3`,
);

// By endpoint: however many rows there are, a filter without a match reads none. Both are ranges of one index, for the same
// reason as above.
const ENDPOINTS = `select id from {schema}.webhook_endpoints
  where organization_id = any($1::text[]) and ($8::text is null or id = $8)`;

const LIST_EVENTS_BY_TYPE = statement(
  'list_webhook_events_by_type',
  `select e.* from (${ENDPOINTS}) w, lateral (
     select ${COLUMNS} from {schema}.webhook_events
     where (endpoint_id, type, id) < (w.id, $4, $2) and (endpoint_id, type, id) >= (w.id, $4, $6)
       and ($5::text is null or state = $5) and ${OF_VERSION}
     order by endpoint_id desc, type desc, id desc limit $3) e
   order by e.id desc limit $3`,
);

type UndeliveredState = Exclude<EventState, 'delivered'>;

// The state is written out, because the index is of undelivered events only.
const listEventsIn = (state: UndeliveredState) =>
  statement(
    `list_${state}_webhook_events`,
    `select e.* from (${ENDPOINTS}) w, lateral (
       select ${COLUMNS} from {schema}.webhook_events
       where (endpoint_id, state, id) < (w.id, $5, $2) and (endpoint_id, state, id) >= (w.id, $5, $6)
         and state = '${state}' and state <> 'delivered' and ($4::text is null or type = $4) and ${OF_VERSION}
       order by endpoint_id desc, state desc, id desc limit $3) e
     order by e.id desc limit $3`,
  );
const LIST_UNDELIVERED_EVENTS: Readonly<Record<UndeliveredState, Statement>> = {
  pending: listEventsIn('pending'),
  exhausted: listEventsIn('exhausted'),
  held: listEventsIn('held'),
  cancelled: listEventsIn('cancelled'),
};

export async function selectEvents(
  session: Session,
  organizationIds: readonly string[],
  { endpointId, type, state, before: after, limit }: EventFilter & Stretch,
  { apiVersion, ...period }: EventWindow = EVERY_EVENT,
): Promise<WebhookEvent[]> {
  const { from, before } = idsWithin(eventIdPrefix, period, after);
  const given = [organizationIds, before, limit, type, state, from, apiVersion];
  const filtered = [...given, endpointId];
  if (state !== null && state !== 'delivered')
    return session.run<WebhookEvent>(LIST_UNDELIVERED_EVENTS[state], filtered);
  if (type !== null) return session.run<WebhookEvent>(LIST_EVENTS_BY_TYPE, filtered);
  if (endpointId === null) return session.run<WebhookEvent>(LIST_EVENTS, given);
  return session.run<WebhookEvent>(LIST_EVENTS_OF_ENDPOINT, [...given, endpointId]);
}

const ATTEMPT = `id, event_id as "eventId", endpoint_id as "endpointId", organization_id as "organizationId",
  started_at as "startedAt", duration_ms as "durationMs", status, error, answer`;

const LIST_ATTEMPTS = statement(
  'list_webhook_attempts',
  `select a.* from unnest($1::text[]) as o(id), lateral (
     select ${ATTEMPT} from {schema}.webhook_attempts
     where ${OF_ORGANIZATION}
     order by organization_id desc, id desc limit $3) a
   order by a.id desc limit $3`,
);
const LIST_ATTEMPTS_OF_EVENT = statement(
  'list_webhook_attempts_of_event',
  `select ${ATTEMPT} from {schema}.webhook_attempts
   where event_id = $4 and organization_id = any($1::text[]) and id < $2
     and ($5::text is null or endpoint_id = $5)
   order by id desc limit $3`,
);
const LIST_ATTEMPTS_OF_ENDPOINT = statement(
  'list_webhook_attempts_of_endpoint',
  `select ${ATTEMPT} from {schema}.webhook_attempts
   where endpoint_id = $4 and organization_id = any($1::text[]) and id < $2
   order by id desc limit $3`,
);

export interface AttemptFilter {
  eventId: string | null;
  endpointId: string | null;
}

export async function selectAttempts(
  session: Session,
  organizationIds: readonly string[],
  { eventId, endpointId, before, limit }: AttemptFilter & Stretch,
): Promise<Attempt[]> {
  const given = [organizationIds, before ?? ID_END, limit];
  if (eventId !== null) return session.run<Attempt>(LIST_ATTEMPTS_OF_EVENT, [...given, eventId, endpointId]);
  if (endpointId !== null) return session.run<Attempt>(LIST_ATTEMPTS_OF_ENDPOINT, [...given, endpointId]);
  return session.run<Attempt>(LIST_ATTEMPTS, given);
}

const HOLD_PENDING = statement(
  'hold_pending_webhook_events',
  `update {schema}.webhook_events set state = 'held', next_attempt_at = null
   where endpoint_id = any($1::text[]) and state = 'pending'`,
);

/** For endpoints that are disabled. */
export async function holdPendingEvents(session: Session, endpointIds: readonly EndpointId[]): Promise<void> {
  await session.run(HOLD_PENDING, [endpointIds]);
}

const HOLD_PENDING_OF_ORGANIZATION = statement(
  'hold_pending_webhook_events_of_organization',
  `with waiting as (
     select v.id from {schema}.webhook_endpoints e join {schema}.webhook_events v on v.endpoint_id = e.id
     where e.organization_id = $1 and v.state = 'pending' for update of v skip locked)
   update {schema}.webhook_events v set state = 'held', next_attempt_at = null
   from waiting where v.id = waiting.id`,
);

/** Leaves out events whose attempt is being stored at this moment: they wait as well, since nothing is sent. */
export async function holdEventsOfOrganization(session: Session, organizationId: string): Promise<void> {
  await session.run(HOLD_PENDING_OF_ORGANIZATION, [organizationId]);
}

const WITHHOLD_PENDING = statement(
  'withhold_pending_webhook_events',
  `update {schema}.webhook_events set state = 'held', next_attempt_at = null, withheld = true
   where endpoint_id = any($1::text[]) and state = 'pending' and type = any($2::text[]) and not is_test`,
);

/** For endpoints whose maker may not read these kinds any more. An example shows nothing that would have to be read. */
export async function withholdPendingEvents(
  session: Session,
  endpointIds: readonly EndpointId[],
  kinds: readonly string[],
): Promise<void> {
  if (kinds.length > 0) await session.run(WITHHOLD_PENDING, [endpointIds, kinds]);
}

// Where the endpoint is disabled meanwhile they stay held, like all others of it.
const RELEASE_WITHHELD = statement(
  'release_withheld_webhook_events',
  `update {schema}.webhook_events v
   set withheld = false,
       (state, next_attempt_at, put_off_at) = (
         select case when e.disabled_at is null then 'pending' else 'held' end,
                case when e.disabled_at is null then $3::timestamptz end, $3::timestamptz
         from {schema}.webhook_endpoints e where e.id = v.endpoint_id)
   where v.endpoint_id = any($1::text[]) and v.state = 'held' and v.state <> 'delivered' and v.withheld
     and v.type <> all($2::text[])`,
);

/** Releases everything that was withheld from these endpoints but these kinds, at once. */
export async function releaseWithheldEvents(
  session: Session,
  { ids, kinds, now }: { ids: readonly EndpointId[]; kinds: readonly string[]; now: Date },
): Promise<void> {
  await session.run(RELEASE_WITHHELD, [ids, kinds, now]);
}

const CANCEL_PENDING = statement(
  'cancel_pending_webhook_events',
  `update {schema}.webhook_events set state = 'cancelled', next_attempt_at = null
   where endpoint_id = $1 and state = 'pending'`,
);
const CANCEL_HELD = statement(
  'cancel_held_webhook_events',
  `update {schema}.webhook_events set state = 'cancelled' where endpoint_id = $1 and state = 'held'`,
);

/** For an endpoint that is deleted. One after the other, so that each finds its own index. */
export async function cancelUnsentEvents(session: Session, endpointId: EndpointId): Promise<void> {
  await session.run(CANCEL_PENDING, [endpointId]);
  await session.run(CANCEL_HELD, [endpointId]);
}

const BEGIN_AGAIN = statement(
  'begin_webhook_event_again',
  `update {schema}.webhook_events
   set state = 'pending', next_attempt_at = $2, tries = 0, recovery_id = null, recovered_from = null, withheld = false
   where id = $1 returning ${COLUMNS}`,
);

/** A new round of attempts, at once. */
export async function beginAgain(session: Session, id: EventId, at: Date): Promise<WebhookEvent> {
  const [event] = await session.run<WebhookEvent>(BEGIN_AGAIN, [id, at]);
  return present(event, 'an event to begin again');
}

const SELECT_PAYLOAD = statement(
  'select_webhook_payload',
  `select body from {schema}.webhook_payloads where occurrence_id = $1 and api_version = $2 and format = $3`,
);

/** Undefined once it is no longer stored; null while it could not be rendered. */
export async function selectPayload(
  session: Session,
  { occurrenceId, apiVersion, format }: WebhookEvent,
): Promise<Buffer | null | undefined> {
  const [row] = await session.run<{ body: Uint8Array | null }>(SELECT_PAYLOAD, [
    occurrenceId,
    apiVersion,
    format,
  ]);
  return row && (row.body === null ? null : Buffer.from(row.body));
}

const SELECT_OCCURRENCE = statement(
  'select_occurrence',
  `select id, type, organization_ids as "organizationIds", data, occurred_at as "occurredAt"
   from {schema}.occurrences where id = $1`,
);

export async function selectOccurrence(session: Session, id: OccurrenceId): Promise<Occurrence | null> {
  const [occurrence] = await session.run<Occurrence>(SELECT_OCCURRENCE, [id]);
  return occurrence ?? null;
}

export interface StoredRecovery {
  id: RecoveryId;
  endpointId: EndpointId;
  since: Date;
  startedAt: Date;
  eventCount: number;
  cancelledAt: Date | null;
}

export async function insertRecovery(session: Session, recovery: StoredRecovery): Promise<void> {
  await tables(session)
    .insertInto('webhook_recoveries')
    .values({
      id: recovery.id,
      endpoint_id: recovery.endpointId,
      since: recovery.since,
      started_at: recovery.startedAt,
      event_count: recovery.eventCount,
      cancelled_at: recovery.cancelledAt,
    })
    .execute();
}

export async function selectLastRecovery(
  session: Session,
  endpointId: EndpointId,
): Promise<StoredRecovery | null> {
  const row = await tables(session)
    .selectFrom('webhook_recoveries')
    .select([
      'id',
      'endpoint_id as endpointId',
      'since',
      'started_at as startedAt',
      'event_count as eventCount',
      'cancelled_at as cancelledAt',
    ])
    .where('endpoint_id', '=', endpointId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

export async function markRecoveryCancelled(session: Session, id: RecoveryId, at: Date): Promise<void> {
  await tables(session)
    .updateTable('webhook_recoveries')
    .set({ cancelled_at: at })
    .where('id', '=', id)
    .execute();
}

// Ids sort by time. What was sent is needed to send it again, so events that have lost it stay as they are.
const RECOVER_EVENTS = statement(
  'recover_webhook_events',
  `with missed as (
     select e.id, row_number() over (order by e.id) - 1 as place
     from {schema}.webhook_events e
     join {schema}.webhook_payloads p
       on p.occurrence_id = e.occurrence_id and p.api_version = e.api_version and p.format = e.format
     where e.endpoint_id = $1 and e.state in ('exhausted', 'held') and e.id >= $2 and e.type <> all($6::text[])),
   recovered as (
     update {schema}.webhook_events e
     set state = 'pending', tries = 0, recovery_id = $3, recovered_from = e.state, withheld = false,
         next_attempt_at = $4::timestamptz + make_interval(secs => missed.place / $5::float8), put_off_at = $4
     from missed where e.id = missed.id
     returning 1)
   select count(*)::int as count from recovered`,
);

export interface Recovering {
  id: RecoveryId;
  endpointId: EndpointId;
  since: Date;
  startsAt: Date;
  perSecond: number;
  /** These stay as they are. */
  withheldKinds: readonly string[];
}

/** Queues missed events in the order in which they were made; returns how many. */
export async function recoverEvents(session: Session, recovering: Recovering): Promise<number> {
  const { id, endpointId, since, startsAt, perSecond, withheldKinds } = recovering;
  const first = firstIdAt(eventIdPrefix, since);
  const given = [endpointId, first, id, startsAt, perSecond, withheldKinds];
  const [row] = await session.run<{ count: number }>(RECOVER_EVENTS, given);
  return row?.count ?? 0;
}

const PUT_BACK = statement(
  'put_back_recovered_webhook_events',
  `update {schema}.webhook_events
   set state = recovered_from, next_attempt_at = null, recovery_id = null, recovered_from = null
   where recovery_id = $1 and state = 'pending' and tries = 0`,
);

/** Puts back recovered events without an attempt. */
export async function putBackRecovered(session: Session, id: RecoveryId): Promise<void> {
  await session.run(PUT_BACK, [id]);
}

const COUNT_RECOVERED = statement(
  'count_recovered_webhook_events',
  `select count(*) filter (where state = 'pending')::int as remaining,
          count(*) filter (where state = 'delivered')::int as delivered,
          count(*) filter (where state in ('exhausted', 'held', 'cancelled'))::int as failed
   from {schema}.webhook_events where recovery_id = $1`,
);

export interface RecoveryCounts {
  remaining: number;
  delivered: number;
  failed: number;
}

export async function countRecovered(session: Session, id: RecoveryId): Promise<RecoveryCounts> {
  const [counts] = await session.run<RecoveryCounts>(COUNT_RECOVERED, [id]);
  return present(counts, 'a row of counts');
}
