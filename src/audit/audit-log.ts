import type { Context } from '../environments/environment.ts';
import { newId } from '../kernel/ids.ts';
import { auditEntryIdPrefix, insertAuditEntries } from './store.ts';
import type { NewAuditEntry } from './types.ts';

/** Records what was done, in the transaction that does it: both are stored, or neither. */
export async function recordAudit(context: Context, entries: readonly NewAuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const at = context.clock.now();
  await insertAuditEntries(
    context.session,
    entries.map((entry) => ({ ...entry, id: newId(auditEntryIdPrefix, at) })),
    at,
  );
}
