import type { Scene } from '../environments/environment.ts';
import { newId } from '../kernel/ids.ts';
import { auditEntryIdPrefix, insertAuditEntries } from './store.ts';
import type { NewAuditEntry } from './types.ts';

/** Records what was done, in the transaction that does it: both are stored, or neither. */
export async function recordAudit(scene: Scene, entries: readonly NewAuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const at = scene.clock.now();
  await insertAuditEntries(
    scene.session,
    entries.map((entry) => ({ ...entry, id: newId(auditEntryIdPrefix, at) })),
    at,
  );
}
