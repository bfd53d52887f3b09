import { organizationSelfRegistered, organizationSuspendedAt } from '../../identity/store.ts';
import type { Session } from '../../storage/database.ts';
import { expectOne, oneByOne, statement } from '../../storage/statement.ts';
import type {
  EndpointId,
  EventId,
  EventState,
  OccurrenceId,
  RecordedAttempt,
  SecretId,
  WebhookEvent,
} from '../types.ts';

/** A secret as it is kept, in hex. */
export interface SealedSecret {
  id: SecretId;
  sealed: string;
}

/** An endpoint that one worker delivers to, and no other one while the lease lasts. */
export interface LeasedLane {
  endpointId: EndpointId;
  organizationId: string;
  /** Nothing but failures came back lately. */
  failing: boolean;
  maxPerSecond: number | null;
}

export interface Lease {
  worker: string;
  now: Date;
  until: Date;
}

/** True of an endpoint `e` that is enabled, and whose organization is not suspended. */
export const MAY_BE_SENT_TO = `e.disabled_at is null and e.deleted_at is null
       and ${organizationSuspendedAt('e.organization_id')} is null`;

// Of the indexes of events, only the one of those that are due has this order.
const DUE_ORDER = 'order by endpoint_id, next_attempt_at, id';

// A lease that lies further ahead than any can, with room for workers whose clocks differ a little, was made before the
// clock was set back; so was a pause that began when it was given back.
const IS_FREE = `(l.leased_until is null or l.leased_until > $3::timestamptz + interval '10 seconds'
            or (l.leased_until <= $2 and (l.not_before is null or l.not_before <= $2)))`;

/** `waiting`: the endpoints that have a pending event, and one null. The search leaps from endpoint to endpoint, however many events each has. */
export const WAITING = `(select endpoint_id from {schema}.webhook_events where state = 'pending' ${DUE_ORDER} limit 1)
     union all
     select (select e.endpoint_id from {schema}.webhook_events e
             where e.state = 'pending' and e.endpoint_id > waiting.endpoint_id ${DUE_ORDER} limit 1)
     from waiting where waiting.endpoint_id is not null`;

/** Their lanes (`l`), themselves (`e`), and the first event of each (`first`). */
export const FROM_WAITING = `from waiting
     cross join lateral (${oneByOne('webhook_lanes', 'endpoint_id = waiting.endpoint_id')}) l
     cross join lateral (${oneByOne('webhook_endpoints', 'id = l.endpoint_id')}) e
     cross join lateral (select next_attempt_at from {schema}.webhook_events
                         where endpoint_id = waiting.endpoint_id and state = 'pending'
                         order by next_attempt_at, id limit 1) first`;

/**
 * Endpoints that have something due and no lease, round-robin over organizations: those with the fewest lanes at this worker
 * first, and of each the endpoint that waited longest. What is free is asked again where it is locked: another worker may have taken it meanwhile.
 */
const LEASE_LANES = statement(
  'lease_webhook_lanes',
  `with recursive waiting as (${WAITING}), ranked as (
     select l.endpoint_id, l.leased_until, e.organization_id, e.max_per_second,
            row_number() over (partition by e.organization_id order by l.leased_until nulls first, l.endpoint_id)
              + coalesce(held.count, 0) as turn
     ${FROM_WAITING}
     left join unnest($5::text[], $6::int[]) as held(organization_id, count)
       on held.organization_id = e.organization_id
     where ${IS_FREE} and ${MAY_BE_SENT_TO} and first.next_attempt_at <= $2
   ), free as (
     select l.endpoint_id, ranked.organization_id, ranked.max_per_second
     from (select * from ranked where turn <= $7 order by turn, leased_until nulls first) ranked
     cross join lateral (select l.endpoint_id from {schema}.webhook_lanes l
                         where l.endpoint_id = ranked.endpoint_id and ${IS_FREE} for update skip locked) l
     limit $4
   )
   update {schema}.webhook_lanes l set leased_by = $1, leased_until = $3
   from free where l.endpoint_id = free.endpoint_id
   returning l.endpoint_id as "endpointId", free.organization_id as "organizationId",
             l.failing_since is not null as failing, free.max_per_second as "maxPerSecond"`,
);

const HAS_PENDING = statement(
  'has_pending_webhook_events',
  `select (select id from {schema}.webhook_events where state = 'pending' ${DUE_ORDER} limit 1) is not null as pending`,
);

/** Resolves to true if any event waits to be sent, now or later. */
export async function hasPending(session: Session): Promise<boolean> {
  const [row] = await session.run<{ pending: boolean }>(HAS_PENDING, []);
  return row?.pending ?? false;
}

/** The number of endpoints that a worker may take, in all and of each organization, and how many of each it has. */
export interface LaneShare {
  room: number;
  perOrganization: ReadonlyMap<string, number>;
  lanesPerOrganizationMax: number;
}

export async function leaseLanes(
  session: Session,
  { worker, now, until }: Lease,
  { room, perOrganization, lanesPerOrganizationMax }: LaneShare,
): Promise<LeasedLane[]> {
  const held = [[...perOrganization.keys()], [...perOrganization.values()]];
  return session.run<LeasedLane>(LEASE_LANES, [worker, now, until, room, ...held, lanesPerOrganizationMax]);
}

const RENEW_LANES = statement(
  'renew_webhook_lanes',
  `update {schema}.webhook_lanes set leased_until = $3
   where endpoint_id = any($2::text[]) and leased_by = $1
   returning endpoint_id as "endpointId"`,
);

/** Answers with those that are still ours. */
export async function renewLanes(
  session: Session,
  { worker, until }: Lease,
  ids: readonly EndpointId[],
): Promise<EndpointId[]> {
  const rows = await session.run<{ endpointId: EndpointId }>(RENEW_LANES, [worker, ids, until]);
  return rows.map(({ endpointId }) => endpointId);
}

const RELEASE_LANES = statement(
  'release_webhook_lanes',
  `update {schema}.webhook_lanes l set leased_by = null, leased_until = $4,
          not_before = ($3::timestamptz[])[array_position($2::text[], l.endpoint_id)]
   where l.endpoint_id = any($2::text[]) and l.leased_by = $1`,
);

/** From here on any worker may lease them, but not before the pause that the receiver or its owner wants. */
export async function releaseLanes(
  session: Session,
  worker: string,
  lanes: readonly { endpointId: EndpointId; notBefore: Date | null }[],
  now: Date,
): Promise<void> {
  const ids = lanes.map(({ endpointId }) => endpointId);
  await session.run(RELEASE_LANES, [worker, ids, lanes.map(({ notBefore }) => notBefore), now]);
}

// One that was never tried, unless it is recovered step by step, is due when it is stored.
const WAITS_SINCE_LATER = '(tries = 0 and recovery_id is null or put_off_at > $2)';

const PUT_OFF_ANEW = statement(
  'put_webhook_events_off_anew',
  `with moved as (
     update {schema}.webhook_events
     set next_attempt_at = case when put_off_at > $2 then $1::timestamptz + (next_attempt_at - put_off_at) else $1 end,
         put_off_at = case when put_off_at > $2 then $1 end
     where ctid = any(array(
       select ctid from {schema}.webhook_events
       where state = 'pending' and next_attempt_at > $2 and ${WAITS_SINCE_LATER}
       limit $3 for update skip locked))
     returning 1)
   select count(*)::int as count from moved`,
);

/** The greatest difference between the clocks of workers. */
const TOLERANCE_MS = 10_000;

/**
 * After the clock was set back: events that began to wait at a time which has yet to come wait as long as they should, from
 * now on. Answers with how many of them, of `limit` at most.
 */
export async function putOffAnew(session: Session, now: Date, limit: number): Promise<number> {
  const yetToCome = new Date(now.getTime() + TOLERANCE_MS);
  const [row] = await session.run<{ count: number }>(PUT_OFF_ANEW, [now, yetToCome, limit]);
  return row?.count ?? 0;
}

/** An event that is due, with all that sending it needs. */
export interface DueEvent
  extends Pick<
    WebhookEvent,
    'id' | 'occurrenceId' | 'endpointId' | 'organizationId' | 'type' | 'apiVersion' | 'format'
  > {
  tries: number;
  /** The span that has caused it, where that was traced. */
  traceparent: string | null;
  /** False once its payload was deleted. */
  kept: boolean;
  /** Null: it could not be rendered yet. */
  body: Uint8Array | null;
  url: string;
  /** Of an organization that nobody here vouches for. */
  selfRegistered: boolean;
  maxPerSecond: number | null;
  /** The secrets that sign, newest first. */
  secrets: SealedSecret[];
}

// Endpoint by endpoint, which "offset 0" ensures: a planner that knows little of these tables would begin with all endpoints.
const PICK_DUE = statement(
  'pick_due_webhook_events',
  `select v.id, v.occurrence_id as "occurrenceId", v.endpoint_id as "endpointId", v.organization_id as "organizationId",
          v.type, v.api_version as "apiVersion", v.format, v.tries, v.traceparent, p.occurrence_id is not null as kept,
          p.body,
          e.url, e.self_registered as "selfRegistered", e.max_per_second as "maxPerSecond", e.secrets
   from unnest($1::text[], $2::int[], $5::text[]) as wanted(endpoint_id, free, in_flight)
   cross join lateral (
     select e.url, e.max_per_second,
            ${organizationSelfRegistered('e.organization_id')} as self_registered,
            (select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'sealed', encode(k.sealed, 'hex'))
                                       order by k.id desc), '[]')
             from {schema}.webhook_secrets k
             where k.endpoint_id = e.id and (k.expires_at is null or k.expires_at > $4)) as secrets
     from (${oneByOne('webhook_lanes', 'endpoint_id = wanted.endpoint_id')}) l
     cross join lateral (${oneByOne('webhook_endpoints', 'id = l.endpoint_id')}) e
     where l.leased_by = $3 and ${MAY_BE_SENT_TO}
     offset 0
   ) e
   cross join lateral (
     select * from {schema}.webhook_events due
     where due.endpoint_id = wanted.endpoint_id and due.state = 'pending' and due.next_attempt_at <= $4
       and due.id <> all(wanted.in_flight::text[])
     order by due.next_attempt_at, due.id limit wanted.free
   ) v
   left join lateral (
     select occurrence_id, body from {schema}.webhook_payloads
     where occurrence_id = v.occurrence_id and api_version = v.api_version and format = v.format
     offset 0
   ) p on true
   order by v.endpoint_id, v.next_attempt_at, v.id`,
);

const FIND_PENDING = statement(
  'find_pending_webhook_events',
  `select v.id from unnest($1::text[]) as asked(id)
   cross join lateral (${oneByOne('webhook_events', 'id = asked.id')}) v where v.state = 'pending'`,
);

/** Returns those of these events that are to be sent. */
export async function findPending(session: Session, ids: readonly EventId[]): Promise<Set<EventId>> {
  const rows = await session.run<{ id: EventId }>(FIND_PENDING, [ids]);
  return new Set(rows.map(({ id }) => id));
}

/** The number of events to pick for an endpoint, and which of its events are being sent already. */
export interface WantedEvents {
  endpointId: EndpointId;
  free: number;
  inFlight: ReadonlySet<EventId>;
}

export async function pickDue(
  session: Session,
  { worker, now }: Pick<Lease, 'worker' | 'now'>,
  wanted: readonly WantedEvents[],
): Promise<DueEvent[]> {
  return session.run<DueEvent>(PICK_DUE, [
    wanted.map(({ endpointId }) => endpointId),
    wanted.map(({ free }) => free),
    worker,
    now,
    // A list in a list, as text: our ids need no quotes there.
    wanted.map(({ inFlight }) => `{${[...inFlight].join(',')}}`),
  ]);
}

/** The result of an attempt, and what becomes of its event. */
export interface Result {
  attempt: RecordedAttempt;
  state: Extract<EventState, 'pending' | 'delivered' | 'exhausted'>;
  nextAttemptAt: Date | null;
  /** The number of tries before it was picked. */
  triesBefore: number;
}

/** The state of the endpoint after the attempt. */
export interface Settled {
  endpointId: EndpointId;
  failingSince: Date | null;
  failureCount: number;
}

// What happened to an event meanwhile stays, except that a delivery is a delivery: one that was to be sent anew, which
// begins its tries again, is still to be sent if this attempt has failed. An endpoint's successes count before
// its failures of the same moment: it works. Where it worked a second ago, that is not written again. An attempt that is
// stored already, since the answer was lost, changes nothing: what is known of its endpoint is answered again.
const SETTLE = statement(
  'settle_webhook_attempts',
  `with given as (
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::int[], $7::int[],
                          $8::text[], $9::text[], $10::text[], $11::timestamptz[], $12::int[], $13::text[])
       as made(id, event_id, endpoint_id, organization_id, started_at, duration_ms, status, error, answer, state,
               next_attempt_at, tries, evidence)
     ${expectOne('$1')}
   ), written as (
     insert into {schema}.webhook_attempts
       (id, event_id, endpoint_id, organization_id, started_at, duration_ms, status, error, answer, evidence)
     select id, event_id, endpoint_id, organization_id, started_at, duration_ms, status, error, answer, evidence
     from given
     on conflict (id) do nothing
     returning id
   ), fresh as (
     select given.* from given join written on written.id = given.id
   ), settled as (
     update {schema}.webhook_events v
     set attempt_count = v.attempt_count + 1,
         tries = case when v.tries = fresh.tries then v.tries + 1 else v.tries end,
         recovered_from = null,
         state = case when fresh.state = 'delivered' or (v.state = 'pending' and v.tries = fresh.tries)
                      then fresh.state else v.state end,
         next_attempt_at = case when fresh.state = 'delivered' or v.state <> 'pending' then null
                                when v.tries = fresh.tries then fresh.next_attempt_at
                                else v.next_attempt_at end,
         put_off_at = case when v.tries = fresh.tries then fresh.started_at else v.put_off_at end
     from fresh where v.id = fresh.event_id
   ), summed as (
     select endpoint_id, bool_or(state = 'delivered') as succeeded, max(started_at) as latest, min(started_at) as first,
            count(*)::int as count
     from fresh group by endpoint_id order by endpoint_id
   ), changed as (
     update {schema}.webhook_lanes l
     set last_success_at = case when summed.succeeded then summed.latest else l.last_success_at end,
         failing_since = case when summed.succeeded then null else coalesce(l.failing_since, summed.first) end,
         failure_count = case when summed.succeeded then 0 else l.failure_count + summed.count end
     from summed where l.endpoint_id = summed.endpoint_id
       and not (summed.succeeded and l.failing_since is null and l.failure_count = 0
                and coalesce(l.last_success_at between summed.latest - interval '1 second' and summed.latest, false))
     returning l.endpoint_id, l.failing_since, l.failure_count
   )
   select endpoint_id as "endpointId", failing_since as "failingSince", failure_count as "failureCount" from changed
   union all
   select l.endpoint_id, l.failing_since, l.failure_count
   from {schema}.webhook_lanes l
   where l.endpoint_id = any(array(select endpoint_id from given where id not in (select id from written)))
     and l.endpoint_id not in (select endpoint_id from changed)`,
);

/** Stores the results of attempts. Returns the states of their endpoints, without those that go on working. */
export async function settle(session: Session, results: readonly Result[]): Promise<Settled[]> {
  const attempts = results.map(({ attempt }) => attempt);
  return session.run<Settled>(SETTLE, [
    attempts.map(({ id }) => id),
    attempts.map(({ eventId }) => eventId),
    attempts.map(({ endpointId }) => endpointId),
    attempts.map(({ organizationId }) => organizationId),
    attempts.map(({ startedAt }) => startedAt),
    attempts.map(({ durationMs }) => durationMs),
    attempts.map(({ status }) => status),
    attempts.map(({ error }) => error),
    attempts.map(({ answer }) => answer),
    results.map(({ state }) => state),
    results.map(({ nextAttemptAt }) => nextAttemptAt),
    results.map(({ triesBefore }) => triesBefore),
    attempts.map(({ evidence }) => evidence && JSON.stringify(evidence)),
  ]);
}

const FIND_OCCURRENCE = statement(
  'find_occurrence',
  'select type, data, occurred_at as "occurredAt" from {schema}.occurrences where id = $1',
);

export async function findOccurrence(
  session: Session,
  id: OccurrenceId,
): Promise<{ type: string; data: Record<string, unknown>; occurredAt: Date } | null> {
  const [found] = await session.run<{ type: string; data: Record<string, unknown>; occurredAt: Date }>(
    FIND_OCCURRENCE,
    [id],
  );
  return found ?? null;
}

const STORE_RENDERED = statement(
  'store_rendered_webhook_payload',
  `with stored as (
     update {schema}.webhook_payloads set body = $4
     where occurrence_id = $1 and api_version = $2 and format = $3 and body is null
     returning occurrence_id
   )
   update {schema}.webhook_events v set payload_sha256 = $5
   from stored where v.occurrence_id = stored.occurrence_id and v.api_version = $2 and v.format = $3`,
);

/** Stores payloads that could not be rendered at first. */
export async function storeRendered(
  session: Session,
  { occurrenceId, apiVersion, format }: Pick<DueEvent, 'occurrenceId' | 'apiVersion' | 'format'>,
  { body, sha256 }: { body: Buffer; sha256: Buffer },
): Promise<void> {
  await session.run(STORE_RENDERED, [occurrenceId, apiVersion, format, body, sha256]);
}
