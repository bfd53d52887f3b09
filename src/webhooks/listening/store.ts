import type { Session } from '../../storage/database.ts';
import { statement } from '../../storage/statement.ts';
import type { Occurrence, OccurrenceId } from '../types.ts';

const SELECT_OCCURRENCES = statement(
  'select_occurrences_after',
  `select id, type, organization_ids as "organizationIds", data, occurred_at as "occurredAt"
   from {schema}.occurrences
   where id > $1 and organization_ids @> array[$2::text]
   order by id limit $3`,
);

export async function selectOccurrencesAfter(
  session: Session,
  { after, organizationId, limit }: { after: OccurrenceId; organizationId: string; limit: number },
): Promise<Occurrence[]> {
  return session.run<Occurrence>(SELECT_OCCURRENCES, [after, organizationId, limit]);
}
