import type { ApiVersion } from '@dateline/versions';
import { ID_END, idsWithin } from '../../kernel/ids.ts';
import { present } from '../../kernel/presence.ts';
import type { Session } from '../../storage/database.ts';
import { containing, cursor } from '../../storage/list-query.ts';
import { oneByOne, type Statement, statement } from '../../storage/statement.ts';
import { wordSearch } from '../../storage/word-search.ts';
import { FROM_WAITING, MAY_BE_SENT_TO, WAITING } from '../deliveries/store.ts';
import { type EndpointTables, endpointColumns } from '../endpoints/store.ts';
import type { EventWindow } from '../events/store.ts';
import {
  type Endpoint,
  type EndpointId,
  type EventId,
  type EventState,
  eventIdPrefix,
  type RecordedAttempt,
  type WebhookEvent,
} from '../types.ts';

/** The health of the deliveries to an endpoint. */
export interface EndpointHealth {
  lastSuccessAt: Date | null;
  /** Since when nothing but failures; null while all is well. */
  failingSince: Date | null;
  failureCount: number;
  /** Until when the receiver wants to be left alone. */
  pausedUntil: Date | null;
}

export interface SelectedEndpoint {
  endpoint: Endpoint;
  health: EndpointHealth;
}

/** An attempt that failed. */
export interface LastFailure {
  at: Date;
  status: number | null;
  error: string;
}

export interface WatchedEndpoint {
  endpoint: Endpoint;
  health: EndpointHealth & { lastFailure: LastFailure | null };
}

export const endpointConditions = ['healthy', 'failing', 'disabled'] as const;
export type EndpointCondition = (typeof endpointConditions)[number];

export interface WatchFilter {
  organizationId: string | null;
  condition: EndpointCondition | null;
  /** A part of the address, or an id. */
  search: string | null;
  /** The first and the last version that they may be pinned to. */
  pinned: { first: string; last: string } | null;
}

const watched = (session: Session) =>
  session
    .tables<EndpointTables>()
    .selectFrom('webhook_endpoints')
    .innerJoin('webhook_lanes', 'endpoint_id', 'id')
    .select([
      ...endpointColumns,
      'last_success_at as lastSuccessAt',
      'failing_since as failingSince',
      'failure_count as failureCount',
      'not_before as pausedUntil',
    ])
    .where('deleted_at', 'is', null);

/** Of all organizations, oldest first. Reads one more than the limit, to know whether there are more. */
export async function selectWatchedEndpoints(
  session: Session,
  { organizationId, condition, search, pinned }: WatchFilter,
  { limit, after }: { limit: number; after: string | null },
): Promise<SelectedEndpoint[]> {
  let query = watched(session).where('id', '>', cursor<EndpointId>(after));
  if (organizationId !== null) query = query.where('organization_id', '=', organizationId);
  if (pinned !== null)
    query = query
      .where('pinned_version', '>=', pinned.first as ApiVersion)
      .where('pinned_version', '<=', pinned.last as ApiVersion);
  if (condition === 'disabled') query = query.where('disabled_at', 'is not', null);
  if (condition === 'failing')
    query = query.where('disabled_at', 'is', null).where('failing_since', 'is not', null);
  if (condition === 'healthy')
    query = query.where('disabled_at', 'is', null).where('failing_since', 'is', null);
  if (search !== null)
    query = query.where((is) =>
      is.or([is('id', '=', search as EndpointId), is('url', 'ilike', containing(search))]),
    );
  const rows = await query
    .orderBy('id')
    .limit(limit + 1)
    .execute();
  return rows.map(toWatched);
}

export async function selectWatchedEndpoint(
  session: Session,
  id: EndpointId,
): Promise<SelectedEndpoint | null> {
  const row = await watched(session).where('id', '=', id).executeTakeFirst();
  return row ? toWatched(row) : null;
}

/** What a search shows of an endpoint. */
export type FoundEndpoint = Pick<Endpoint, 'id' | 'url' | 'disabledAt'>;

/** By the beginnings of words of the address. */
export const searchEndpoints = wordSearch<FoundEndpoint>('search_webhook_endpoints', {
  table: 'webhook_endpoints',
  text: 'url',
  select: 'id, url, disabled_at as "disabledAt"',
  name: 'url',
});

type WatchedRow = Omit<Endpoint, 'madeBy'> &
  EndpointHealth & { madeByClient: string | null; madeByUser: string | null };

function toWatched(row: WatchedRow): SelectedEndpoint {
  const { madeByClient, madeByUser, lastSuccessAt, failingSince, failureCount, pausedUntil, ...endpoint } =
    row;
  const madeBy = madeByClient === null ? null : { clientId: madeByClient, userId: madeByUser };
  return {
    endpoint: { ...endpoint, madeBy },
    health: { lastSuccessAt, failingSince, failureCount, pausedUntil },
  };
}

// A range of their index: the database would otherwise read the newest attempts of all endpoints, to find one of this endpoint's.
const LAST_FAILURES = statement(
  'last_failed_webhook_attempts',
  `select failed.endpoint_id as "endpointId", failed.started_at as at, failed.status, failed.error
   from unnest($1::text[]) as wanted(id) cross join lateral (
     select endpoint_id, started_at, status, error from {schema}.webhook_attempts
     where (endpoint_id, id) < (wanted.id, '${ID_END}') and endpoint_id >= wanted.id and error is not null
     order by endpoint_id desc, id desc limit 1) failed`,
);

/** The last attempt that failed of each endpoint, for those that have one. */
export async function selectLastFailures(
  session: Session,
  endpointIds: readonly EndpointId[],
): Promise<ReadonlyMap<EndpointId, LastFailure>> {
  if (endpointIds.length === 0) return new Map();
  const rows = await session.run<LastFailure & { endpointId: EndpointId }>(LAST_FAILURES, [endpointIds]);
  return new Map(rows.map(({ endpointId, ...failure }) => [endpointId, failure]));
}

/** What is shown of an event beside it. */
export interface EventDescription {
  endpointUrl: string | null;
  lastFailure: LastFailure | null;
}

const DESCRIBE_EVENTS = statement(
  'describe_webhook_events',
  `select wanted.id, e.url as "endpointUrl", failed.started_at as at, failed.status, failed.error
   from unnest($1::text[], $2::text[]) as wanted(id, endpoint_id)
   left join lateral (${oneByOne('webhook_endpoints', 'id = wanted.endpoint_id')}) e on true
   left join lateral (
     select started_at, status, error from {schema}.webhook_attempts
     where event_id = wanted.id and error is not null
     order by event_id desc, id desc limit 1) failed on true`,
);

interface DescribedRow {
  id: EventId;
  endpointUrl: string | null;
  at: Date | null;
  status: number | null;
  error: string | null;
}

export async function selectEventDescriptions(
  session: Session,
  events: readonly Pick<WebhookEvent, 'id' | 'endpointId'>[],
): Promise<ReadonlyMap<EventId, EventDescription>> {
  if (events.length === 0) return new Map();
  const ids = [events.map(({ id }) => id), events.map(({ endpointId }) => endpointId)];
  const rows = await session.run<DescribedRow>(DESCRIBE_EVENTS, ids);
  return new Map(
    rows.map(({ id, endpointUrl, at, status, error }) => [
      id,
      { endpointUrl, lastFailure: at && error !== null ? { at, status, error } : null },
    ]),
  );
}

const EVENT = `id, occurrence_id as "occurrenceId", endpoint_id as "endpointId",
  organization_id as "organizationId", type, api_version as "apiVersion", format,
  payload_sha256 as "payloadSha256", created_at as "createdAt", state, attempt_count as "attemptCount",
  next_attempt_at as "nextAttemptAt", is_test as "isTest"`;

const WITHIN = 'id < $1 and id >= $3 and ($4::text is null or api_version = $4)';

const LIST_ALL = statement(
  'list_all_webhook_events',
  `select ${EVENT} from {schema}.webhook_events where ${WITHIN} order by id desc limit $2`,
);

const LIST_ALL_DELIVERED = statement(
  'list_all_delivered_webhook_events',
  `select ${EVENT} from {schema}.webhook_events
   where ${WITHIN} and state = 'delivered' order by id desc limit $2`,
);

type UndeliveredState = Exclude<EventState, 'delivered'>;

// Endpoint by endpoint: there are far fewer of those, and the index is theirs. The state is written out, because it is an
// index of undelivered events only.
const listAllIn = (state: UndeliveredState): Statement =>
  statement(
    `list_all_${state}_webhook_events`,
    `select v.* from {schema}.webhook_endpoints e cross join lateral (
       select ${EVENT} from {schema}.webhook_events
       where endpoint_id = e.id and state = '${state}' and state <> 'delivered' and ${WITHIN}
       order by id desc limit $2) v
     order by v.id desc limit $2`,
  );
const LIST_ALL_IN: Readonly<Record<EventState, Statement>> = {
  delivered: LIST_ALL_DELIVERED,
  pending: listAllIn('pending'),
  exhausted: listAllIn('exhausted'),
  held: listAllIn('held'),
  cancelled: listAllIn('cancelled'),
};

/** Of all organizations, newest first. Reads one more than the limit. */
export async function selectAllEvents(
  session: Session,
  { state, apiVersion, ...period }: EventWindow & { state: EventState | null },
  { limit, after }: { limit: number; after: string | null },
): Promise<WebhookEvent[]> {
  const { from, before } = idsWithin(eventIdPrefix, period, after);
  const given = [before, limit + 1, from, apiVersion];
  return session.run<WebhookEvent>(state === null ? LIST_ALL : LIST_ALL_IN[state], given);
}

const LIST_RECORDED = statement(
  'list_recorded_webhook_attempts',
  `select id, event_id as "eventId", endpoint_id as "endpointId", organization_id as "organizationId",
          started_at as "startedAt", duration_ms as "durationMs", status, error, answer, evidence::json as evidence
   from {schema}.webhook_attempts where event_id = $1 and id < $2 order by id desc limit $3`,
);

/** Newest first. Reads one more than the limit. */
export async function selectRecordedAttempts(
  session: Session,
  eventId: EventId,
  { limit, after }: { limit: number; after: string | null },
): Promise<RecordedAttempt[]> {
  return session.run<RecordedAttempt>(LIST_RECORDED, [eventId, after ?? ID_END, limit + 1]);
}

/** Nobody needs to know more than that it is very many, and counting them takes time. */
export const COUNT_MAX = 10_000;

const COUNT_QUEUE = statement(
  'count_webhook_queue',
  `select
     (select count(*)::int from (select 1 from {schema}.webhook_events
        where state = 'pending' limit ${COUNT_MAX}) p) as waiting,
     (select count(*)::int from (select 1 from {schema}.webhook_events
        where state = 'pending' and next_attempt_at <= $1 limit ${COUNT_MAX}) d) as due,
     (select count(*)::int from (select 1 from {schema}.webhook_events
        where state = 'held' and state <> 'delivered' limit ${COUNT_MAX}) h) as held,
     (select count(*)::int from {schema}.webhook_endpoints
        where deleted_at is null and disabled_at is null) as enabled,
     (select count(*)::int from {schema}.webhook_endpoints
        where deleted_at is null and disabled_at is not null) as disabled,
     (select count(*)::int from {schema}.webhook_lanes l join {schema}.webhook_endpoints e on e.id = l.endpoint_id
        where e.deleted_at is null and e.disabled_at is null and l.failing_since is not null) as failing`,
);

/** Events that wait, and endpoints. At most `COUNT_MAX` are counted of the former. */
export interface QueueCounts {
  waiting: number;
  due: number;
  held: number;
  enabled: number;
  disabled: number;
  failing: number;
}

export async function countQueue(session: Session, now: Date): Promise<QueueCounts> {
  const [counts] = await session.run<QueueCounts>(COUNT_QUEUE, [now]);
  return present(counts, 'a row of counts');
}

/** Events that are due, and that may be sent. */
export interface Backlog {
  /** At most `COUNT_MAX`. */
  due: number;
  /** Since when the oldest is due; null where none is. */
  oldestDueAt: Date | null;
  /** The same of events that a worker could take, and that none has taken: nobody has leased their endpoint, nor wants it to wait. */
  oldestUntakenAt: Date | null;
}

// A worker takes an endpoint when its first event is due, its last lease has ended, and the pause that its receiver wants is over.
const MEASURE_BACKLOG = statement(
  'measure_webhook_backlog',
  `with recursive waiting as (${WAITING}), lanes as (
     select l.endpoint_id, first.next_attempt_at as due_at,
            greatest(first.next_attempt_at, l.leased_until, l.not_before) as free_at
     ${FROM_WAITING}
     where ${MAY_BE_SENT_TO} and first.next_attempt_at <= $1
   )
   select (select count(*)::int from (
             select 1 from lanes cross join lateral (
               select 1 from {schema}.webhook_events v
               where v.endpoint_id = lanes.endpoint_id and v.state = 'pending' and v.next_attempt_at <= $1
               order by v.next_attempt_at, v.id limit ${COUNT_MAX}) events
             limit ${COUNT_MAX}) counted) as due,
          (select min(due_at) from lanes) as "oldestDueAt",
          (select min(free_at) from lanes where free_at <= $1) as "oldestUntakenAt"`,
);

export async function measureBacklog(session: Session, now: Date): Promise<Backlog> {
  const [backlog] = await session.run<Backlog>(MEASURE_BACKLOG, [now]);
  return present(backlog, 'a row of the backlog');
}

export interface StoredBacklog extends Backlog {
  measuredAt: Date;
}

const SELECT_BACKLOG = statement(
  'select_webhook_backlog',
  `select measured_at as "measuredAt", due, oldest_due_at as "oldestDueAt", oldest_untaken_at as "oldestUntakenAt"
   from {schema}.webhook_backlog`,
);

export async function selectBacklog(session: Session): Promise<StoredBacklog | undefined> {
  const [stored] = await session.run<StoredBacklog>(SELECT_BACKLOG, []);
  return stored;
}

const STORE_BACKLOG = statement(
  'store_webhook_backlog',
  `insert into {schema}.webhook_backlog (measured_at, due, oldest_due_at, oldest_untaken_at) values ($1, $2, $3, $4)
   on conflict (id) do update set measured_at = excluded.measured_at, due = excluded.due,
     oldest_due_at = excluded.oldest_due_at, oldest_untaken_at = excluded.oldest_untaken_at`,
);

export async function storeBacklog(session: Session, backlog: StoredBacklog): Promise<void> {
  const { measuredAt, due, oldestDueAt, oldestUntakenAt } = backlog;
  await session.run(STORE_BACKLOG, [measuredAt, due, oldestDueAt, oldestUntakenAt]);
}
