import { daysAgo, tableChore } from '../environments/chore.ts';
import { deleteAuditEntries } from './store.ts';

const KEPT_DAYS = 400;

export const auditChore = tableChore('audit_log', ({ session }, now, limit) =>
  deleteAuditEntries(session, daysAgo(now, KEPT_DAYS), limit),
);
