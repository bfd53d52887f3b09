import type { Context } from '../environments/environment.ts';
import { type Page, type PageRequest, toPage } from '../kernel/page.ts';
import { selectAuditEntries, selectOldestAuditEntry } from './store.ts';
import type { AuditEntry, AuditFilter } from './types.ts';

/** Audit entries, newest first. */
export async function listAudit(
  context: Context,
  filter: AuditFilter,
  page: PageRequest,
): Promise<Page<AuditEntry>> {
  return toPage(await selectAuditEntries(context.session, filter, page), page.limit, (entry) => entry.id);
}

/** The oldest entry of this kind. */
export async function firstAuditEntry(context: Context, filter: AuditFilter): Promise<AuditEntry | null> {
  return selectOldestAuditEntry(context.session, filter);
}
