import { firstIdAt } from '../../kernel/ids.ts';
import type { Session } from '../../storage/database.ts';
import { type Statement, statement } from '../../storage/statement.ts';
import { attemptIdPrefix, occurrenceIdPrefix } from '../types.ts';

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
