import type { Kysely } from 'kysely';
import type { Session } from '../../storage/database.ts';
import { statement } from '../../storage/statement.ts';
import type { ApiVersion } from '../../versions/api-version.ts';
import type { EndpointId, EventId, EventState, Format, Occurrence, OccurrenceId } from '../types.ts';

interface Tables {
  occurrences: {
    id: OccurrenceId;
    type: string;
    organization_ids: readonly string[];
    data: unknown;
    occurred_at: Date;
  };
}

const tables = (session: Session): Kysely<Tables> => session.tables<Tables>();

export async function insertOccurrences(session: Session, occurrences: readonly Occurrence[]): Promise<void> {
  await tables(session)
    .insertInto('occurrences')
    .values(
      occurrences.map((occurrence) => ({
        id: occurrence.id,
        type: occurrence.type,
        organization_ids: occurrence.organizationIds,
        data: JSON.stringify(occurrence.data),
        occurred_at: occurrence.occurredAt,
      })),
    )
    .execute();
}

export interface Addresses {
  /** The maintained versions: what was chosen before the first or after the last of them counts as that one. */
  oldest: ApiVersion;
  newest: ApiVersion;
  concerned: readonly { occurrenceId: OccurrenceId; organizationId: string }[];
  kinds: readonly { occurrenceId: OccurrenceId; apiVersion: ApiVersion; kind: string }[];
}

/** An endpoint that wants to know of an occurrence, and how it will be told. */
export interface Addressed {
  occurrenceId: OccurrenceId;
  endpointId: EndpointId;
  organizationId: string;
  type: string;
  apiVersion: ApiVersion;
  format: Format;
  disabled: boolean;
}

// Until the transaction ends nobody changes these endpoints: an event fits what its endpoint was when it was made.
const LOCK_ADDRESSEES = statement(
  'lock_webhook_addressees',
  `select told.occurrence_id as "occurrenceId", e.id as "endpointId", e.organization_id as "organizationId",
          told.kind as "type", told.api_version as "apiVersion", e.format, e.disabled_at is not null as disabled
   from unnest($1::text[], $2::text[]) as concerned(occurrence_id, organization_id)
   join {schema}.webhook_endpoints e
     on e.organization_id = concerned.organization_id and e.deleted_at is null
   join unnest($3::text[], $4::text[], $5::text[]) as told(occurrence_id, api_version, kind)
     on told.occurrence_id = concerned.occurrence_id
        and told.api_version = least(greatest(e.pinned_version, $6::text collate "C"), $7::text collate "C")
   where e.events && array['*', split_part(told.kind, '.', 1) || '.*', told.kind]
   order by e.id, told.occurrence_id
   for share of e`,
);

export async function lockAddressees(
  session: Session,
  { oldest, newest, concerned, kinds }: Addresses,
): Promise<Addressed[]> {
  return session.run<Addressed>(LOCK_ADDRESSEES, [
    concerned.map(({ occurrenceId }) => occurrenceId),
    concerned.map(({ organizationId }) => organizationId),
    kinds.map(({ occurrenceId }) => occurrenceId),
    kinds.map(({ apiVersion }) => apiVersion),
    kinds.map(({ kind }) => kind),
    oldest,
    newest,
  ]);
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

export interface NewEvent extends Omit<Addressed, 'disabled'> {
  id: EventId;
  payloadSha256: Buffer | null;
  createdAt: Date;
  state: EventState;
}

// The order of ids is the order of first attempts.
const INSERT_EVENTS = statement(
  'insert_webhook_events',
  `insert into {schema}.webhook_events
     (id, occurrence_id, endpoint_id, organization_id, type, api_version, format, payload_sha256, state, created_at,
      next_attempt_at)
   select id, occurrence_id, endpoint_id, organization_id, type, api_version, format, sha256, state, $10::timestamptz,
          case when state = 'pending' then $10::timestamptz end
   from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bytea[],
               $9::text[])
     as made(id, occurrence_id, endpoint_id, organization_id, type, api_version, format, sha256, state)`,
);

export async function insertEvents(session: Session, events: readonly NewEvent[]): Promise<void> {
  await session.run(INSERT_EVENTS, [
    events.map(({ id }) => id),
    events.map(({ occurrenceId }) => occurrenceId),
    events.map(({ endpointId }) => endpointId),
    events.map(({ organizationId }) => organizationId),
    events.map(({ type }) => type),
    events.map(({ apiVersion }) => apiVersion),
    events.map(({ format }) => format),
    events.map(({ payloadSha256 }) => payloadSha256),
    events.map(({ state }) => state),
    events[0]?.createdAt ?? null,
  ]);
}
