import { type Chore, daysAgo, tableChore } from '../environments/chore.ts';
import { dayOf, daysBefore } from './day.ts';
import { deleteCounts, deleteWriters } from './store.ts';

/** Thirteen months: the same quarter of the year before can still be looked at. */
export const RETENTION_DAYS = 400;
/** A batch is sent again within seconds or never. */
const WRITER_RETENTION_DAYS = 7;

export const usageChores: readonly Chore[] = [
  tableChore('usage_counts', ({ session }, now, limit) =>
    deleteCounts(session, daysBefore(dayOf(now), RETENTION_DAYS), limit),
  ),
  tableChore('usage_writers', ({ session }, now, limit) =>
    deleteWriters(session, daysAgo(now, WRITER_RETENTION_DAYS), limit),
  ),
];
