import { firstIdAt } from '../../kernel/ids.ts';
import type { Session } from '../../storage/database.ts';
import { type Statement, statement } from '../../storage/statement.ts';
import { attemptIdPrefix, eventIdPrefix, occurrenceIdPrefix, recoveryIdPrefix } from '../types.ts';

// Ids sort by time, so what is old stands at the beginning of each primary key.
const DELETE_OCCURRENCES = statement(
  'delete_occurrences',
  `with gone as (
     delete from {schema}.occurrences where id in (
       select id from {schema}.occurrences where id < $1 order by id limit $2 for update skip locked)
     returning 1)
   select count(*) as count from gone`,
);

const DELETE_PAYLOADS = statement(
  'delete_webhook_payloads',
  `with gone as (
     delete from {schema}.webhook_payloads where (occurrence_id, api_version, format) in (
       select occurrence_id, api_version, format from {schema}.webhook_payloads
       where occurrence_id < $1 order by occurrence_id limit $2 for update skip locked)
     returning 1)
   select count(*) as count from gone`,
);

const DELETE_ATTEMPTS = statement(
  'delete_webhook_attempts',
  `with gone as (
     delete from {schema}.webhook_attempts where id in (
       select id from {schema}.webhook_attempts where id < $1 order by id limit $2 for update skip locked)
     returning 1)
   select count(*) as count from gone`,
);

const DELETE_EVENTS = statement(
  'delete_webhook_events',
  `with gone as (
     delete from {schema}.webhook_events where id in (
       select id from {schema}.webhook_events where id < $1 order by id limit $2 for update skip locked)
     returning 1)
   select count(*) as count from gone`,
);

const DELETE_RECOVERIES = statement(
  'delete_webhook_recoveries',
  `with gone as (
     delete from {schema}.webhook_recoveries where id in (
       select id from {schema}.webhook_recoveries where id < $1 order by id limit $2 for update skip locked)
     returning 1)
   select count(*) as count from gone`,
);

// Deleted so long ago that their events have left. Their lanes and recoveries first: those refer to them.
const LOCK_DELETED_ENDPOINTS = statement(
  'lock_deleted_webhook_endpoints',
  `select id from {schema}.webhook_endpoints
   where deleted_at < $1 order by deleted_at limit $2 for update skip locked`,
);
const DELETE_LANES = statement(
  'delete_webhook_lanes',
  'delete from {schema}.webhook_lanes where endpoint_id = any($1::text[])',
);
const DELETE_RECOVERIES_OF = statement(
  'delete_webhook_recoveries_of_endpoints',
  'delete from {schema}.webhook_recoveries where endpoint_id = any($1::text[])',
);
const DELETE_ENDPOINTS = statement(
  'delete_webhook_endpoints',
  'delete from {schema}.webhook_endpoints where id = any($1::text[])',
);

export const deleteEndpoints: Delete = async (session, before, limit) => {
  const found = await session.run<{ id: string }>(LOCK_DELETED_ENDPOINTS, [before, limit]);
  const ids = found.map(({ id }) => id);
  for (const sql of [DELETE_LANES, DELETE_RECOVERIES_OF, DELETE_ENDPOINTS]) await session.run(sql, [ids]);
  return ids.length;
};

type Delete = (session: Session, before: Date, limit: number) => Promise<number>;

function deletes(prefix: string, sql: Statement): Delete {
  return async (session, before, limit) => {
    const [row] = await session.run<{ count: number }>(sql, [firstIdAt(prefix, before), limit]);
    return Number(row?.count ?? 0);
  };
}

export const deleteOccurrences = deletes(occurrenceIdPrefix, DELETE_OCCURRENCES);
export const deletePayloads = deletes(occurrenceIdPrefix, DELETE_PAYLOADS);
export const deleteAttempts = deletes(attemptIdPrefix, DELETE_ATTEMPTS);
export const deleteEvents = deletes(eventIdPrefix, DELETE_EVENTS);
export const deleteRecoveries = deletes(recoveryIdPrefix, DELETE_RECOVERIES);
