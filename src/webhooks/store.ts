import type { Kysely } from 'kysely';
import { firstIdAt } from '../kernel/ids.ts';
import type { Session } from '../storage/database.ts';
import { statement } from '../storage/statement.ts';
import type { Occurrence, OccurrenceId } from './types.ts';

export const occurrenceIdPrefix = 'occ';

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

// Ids sort by time, so what is old stands at the beginning of the primary key.
const DELETE_OCCURRENCES = statement(
  'delete_occurrences',
  `with gone as (
     delete from {schema}.occurrences where id in (
       select id from {schema}.occurrences where id < $1 order by id limit $2 for update skip locked)
     returning 1)
   select count(*) as count from gone`,
);

export async function deleteOccurrences(session: Session, before: Date, limit: number): Promise<number> {
  const oldest = firstIdAt(occurrenceIdPrefix, before);
  const [row] = await session.run<{ count: number }>(DELETE_OCCURRENCES, [oldest, limit]);
  return row?.count ?? 0;
}
