import type { Kysely } from 'kysely';
import type { Session } from '../storage/database.ts';
import type { Occurrence, OccurrenceId } from './types.ts';

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
