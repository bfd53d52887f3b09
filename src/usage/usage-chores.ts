import { type Chore, deletionChore, tableChore } from '../environments/chore.ts';
import { deleteRefusals } from './callers/store.ts';
import { dayOf, daysBefore } from './day.ts';
import { deleteCounts, deleteDays, deleteWeeks, deleteWriters } from './store.ts';

/** Thirteen months: the same quarter of the year before can still be looked at. */
export const RETENTION_DAYS = 400;
/** A batch is sent again within seconds or never. */
const WRITER_RETENTION_DAYS = 7;

export const usageChores: readonly Chore[] = [
  countsChore('usage_counts', deleteCounts),
  countsChore('usage_days', deleteDays),
  countsChore('usage_weeks', deleteWeeks),
  deletionChore('refused_clients', deleteRefusals, RETENTION_DAYS),
  deletionChore('usage_writers', deleteWriters, WRITER_RETENTION_DAYS),
];

function countsChore(table: string, remove: typeof deleteCounts): Chore {
  return tableChore(table, ({ session }, now, limit) =>
    remove(session, daysBefore(dayOf(now), RETENTION_DAYS), limit),
  );
}
