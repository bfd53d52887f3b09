import { type Chore, daysAgo, tableChore } from '../../environments/chore.ts';
import { deleteFailedRequestsBefore, deleteOldFailedRequests, selectOldestKept } from './store.ts';

export const RETENTION_DAYS = 7;

/** However much fails: the newest count. */
export const ROWS_MAX = 200_000;

export const failureChore: Chore = tableChore('failed_requests', async ({ session }, now, limit) => {
  const old = await deleteOldFailedRequests(session, daysAgo(now, RETENTION_DAYS), limit);
  if (old > 0) return old;
  const oldestKept = await selectOldestKept(session, ROWS_MAX);
  return oldestKept === null ? 0 : deleteFailedRequestsBefore(session, oldestKept, limit);
});
