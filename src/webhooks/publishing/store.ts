import type { ApiVersion } from '@dateline/versions';
import { organizationSuspendedAt } from '../../identity/store.ts';
import { storableJson } from '../../kernel/json.ts';
import type { Session } from '../../storage/database.ts';
import { oneByOne, statement } from '../../storage/statement.ts';
import { currentSpan } from '../../tracing/span.ts';
import type { Endpoint, EndpointId, Format, Occurrence, OccurrenceId, WebhookEvent } from '../types.ts';

// By hand, and as one value: a bulk revocation writes hundreds of thousands of them, and a query builder takes most of the
// time for that.
const INSERT_OCCURRENCES = statement(
  'insert_occurrences',
  `insert into {schema}.occurrences (id, type, organization_ids, data, occurred_at)
   select id, type, "organizationIds", data, "occurredAt"
   from jsonb_to_recordset($1::text::jsonb)
     as made(id text, type text, "organizationIds" text[], data jsonb, "occurredAt" timestamptz)`,
);

export async function insertOccurrences(session: Session, occurrences: readonly Occurrence[]): Promise<void> {
  await session.run(INSERT_OCCURRENCES, [storableJson(occurrences)]);
}

const HAVE_ENDPOINTS = statement(
  'have_webhook_endpoints',
  `select 1 from {schema}.webhook_endpoints
   where organization_id = any($1::text[]) and deleted_at is null limit 1`,
);

/** Returns whether any of these organizations has an endpoint, whatever it subscribes to. */
export async function haveEndpoints(session: Session, organizationIds: readonly string[]): Promise<boolean> {
  return (await session.run(HAVE_ENDPOINTS, [organizationIds])).length > 0;
}

/** An endpoint that subscribes to some kinds. */
export interface Subscriber
  extends Pick<Endpoint, 'organizationId' | 'events' | 'pinnedVersion' | 'format' | 'lostScopes'> {
  endpointId: EndpointId;
  /** It, or its whole organization. */
  isDisabled: boolean;
}

// Locks these endpoints until the transaction ends: an event fits what its endpoint was when it was made.
// Conditions are on the endpoint alone. A statement that waits for a lock checks them again on the changed row, but with
// the joined rows as before: a join over the version would lose an event whose endpoint changes its version meanwhile.
const LOCK_SUBSCRIBERS = statement(
  'lock_webhook_subscribers',
  `select e.id as "endpointId", e.organization_id as "organizationId", e.events, e.pinned_version as "pinnedVersion",
          e.format, e.lost_scopes as "lostScopes",
          coalesce(e.disabled_at, ${organizationSuspendedAt('e.organization_id')}) is not null as "isDisabled"
   from (select theirs.id from (select distinct unnest($1::text[]) as id) asked
         cross join lateral (${oneByOne('webhook_endpoints', 'organization_id = asked.id')}) theirs
         order by theirs.id) wanted
   cross join lateral (select * from {schema}.webhook_endpoints
                       where id = wanted.id and events && $2::text[] offset 0 for share) e
   where e.deleted_at is null`,
);

export async function lockSubscribers(
  session: Session,
  { organizationIds, names }: { organizationIds: readonly string[]; names: readonly string[] },
): Promise<Subscriber[]> {
  return session.run<Subscriber>(LOCK_SUBSCRIBERS, [organizationIds, names]);
}

export interface NewPayload {
  occurrenceId: OccurrenceId;
  apiVersion: ApiVersion;
  format: Format;
  /** Null: it could not be rendered. */
  body: Buffer | null;
}

const INSERT_PAYLOADS = statement(
  'insert_webhook_payloads',
  `insert into {schema}.webhook_payloads (occurrence_id, api_version, format, body)
   select * from unnest($1::text[], $2::text[], $3::text[], $4::bytea[])`,
);

export async function insertPayloads(session: Session, payloads: readonly NewPayload[]): Promise<void> {
  await session.run(INSERT_PAYLOADS, [
    payloads.map(({ occurrenceId }) => occurrenceId),
    payloads.map(({ apiVersion }) => apiVersion),
    payloads.map(({ format }) => format),
    payloads.map(({ body }) => body),
  ]);
}

/** An id that a sender gave, taken for one occurrence. */
export interface Claim {
  organizationId: string;
  givenId: string;
  occurrenceId: OccurrenceId;
  digest: Uint8Array;
}

// In one order for all: two batches that name the same ids wait for each other, and never both.
const INSERT_CLAIMS = statement(
  'claim_published_occurrences',
  `insert into {schema}.published_occurrences (organization_id, given_id, occurrence_id, digest)
   select * from unnest($1::text[], $2::text[], $3::text[], $4::bytea[])
     as made(organization_id, given_id, occurrence_id, digest)
   order by organization_id collate "C", given_id collate "C"
   on conflict (organization_id, given_id) do nothing
   returning occurrence_id as "occurrenceId"`,
);

/** Takes ids for new occurrences, unless they are taken; waits for others that are about to take them. Answers with those that it got. */
export async function insertClaims(
  session: Session,
  claims: readonly Claim[],
): Promise<ReadonlySet<OccurrenceId>> {
  const inserted = await session.run<Pick<Claim, 'occurrenceId'>>(INSERT_CLAIMS, [
    claims.map(({ organizationId }) => organizationId),
    claims.map(({ givenId }) => givenId),
    claims.map(({ occurrenceId }) => occurrenceId),
    claims.map(({ digest }) => digest),
  ]);
  return new Set(inserted.map(({ occurrenceId }) => occurrenceId));
}

const SELECT_CLAIMS = statement(
  'select_published_occurrences',
  `select organization_id as "organizationId", given_id as "givenId", occurrence_id as "occurrenceId", digest
   from (select distinct * from unnest($1::text[], $2::text[]) as id(of_organization, given)) asked
   cross join lateral (${oneByOne('published_occurrences', 'organization_id = of_organization and given_id = given')}) p`,
);

export async function selectClaims(
  session: Session,
  ids: readonly Pick<Claim, 'organizationId' | 'givenId'>[],
): Promise<Claim[]> {
  return session.run<Claim>(SELECT_CLAIMS, [
    ids.map(({ organizationId }) => organizationId),
    ids.map(({ givenId }) => givenId),
  ]);
}

export interface NewEvent extends Omit<WebhookEvent, 'attemptCount' | 'nextAttemptAt' | 'isTest'> {
  /** It is held because the endpoint's maker may not read it any more. */
  withheld?: boolean;
  isTest?: true;
}

// The order of ids is the order of first attempts. What the events of many endpoints have in common is given once.
const INSERT_EVENTS = statement(
  'insert_webhook_events',
  `insert into {schema}.webhook_events
     (id, occurrence_id, endpoint_id, organization_id, type, api_version, format, payload_sha256, state, created_at,
      next_attempt_at, is_test, withheld, traceparent)
   select made.id, shared.occurrence_id, made.endpoint_id, made.organization_id, shared.type, shared.api_version,
          shared.format, shared.sha256, made.state, $11::timestamptz,
          case when made.state = 'pending' then $11::timestamptz end, $12::boolean, made.withheld, $14::text
   from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $13::boolean[])
     as made(id, endpoint_id, organization_id, state, shared_at, withheld)
   join unnest($6::text[], $7::text[], $8::text[], $9::text[], $10::bytea[]) with ordinality
     as shared(occurrence_id, type, api_version, format, sha256, at) on shared.at = made.shared_at`,
);

export async function insertEvents(session: Session, events: readonly NewEvent[]): Promise<void> {
  const indexes = new Map<string, number>();
  const shared: NewEvent[] = [];
  const indexOf = (event: NewEvent): number => {
    const { occurrenceId, type, apiVersion, format } = event;
    const key = `${occurrenceId} ${type} ${apiVersion} ${format}`;
    const index = indexes.get(key) ?? shared.push(event);
    indexes.set(key, index);
    return index;
  };
  const sharedAt = events.map(indexOf);
  await session.run(INSERT_EVENTS, [
    events.map(({ id }) => id),
    events.map(({ endpointId }) => endpointId),
    events.map(({ organizationId }) => organizationId),
    events.map(({ state }) => state),
    sharedAt,
    shared.map(({ occurrenceId }) => occurrenceId),
    shared.map(({ type }) => type),
    shared.map(({ apiVersion }) => apiVersion),
    shared.map(({ format }) => format),
    shared.map(({ payloadSha256 }) => payloadSha256),
    events[0]?.createdAt ?? null,
    events[0]?.isTest ?? false,
    events.map(({ withheld = false }) => withheld),
    currentSpan()?.traceparent ?? null,
  ]);
}
