import { answerOf, api } from '../api.ts';
import { type AuditEntry, auditColumns } from '../parts/audit-entries.tsx';
import { filtersIn, Period } from '../parts/filters.tsx';
import { List, Search } from '../parts/list.tsx';
import { saveCsv } from '../parts/save-csv.ts';

const FILTERS = ['actor', 'action', 'client_id', 'user_id', 'organization_id', 'since', 'until'] as const;

export function AuditScreen() {
  const filters = filtersIn(FILTERS);
  const load = (cursor: string | undefined) =>
    answerOf(
      api.GET('/operator/audit', {
        params: { query: { ...filters, ...(cursor === undefined ? {} : { cursor }) } },
      }),
    );

  return (
    <>
      <header class="head">
        <h1>Audit log</h1>
        <button type="button" onClick={() => void saveAll(load)}>
          Save as CSV
        </button>
      </header>
      <div class="tools">
        <Search label="Who: an id, configured or system" name="actor" />
        <Search label="What, such as grant.revoked" name="action" />
        <Search label="Client" name="client_id" />
        <Search label="User" name="user_id" />
        <Search label="Organization" name="organization_id" />
        <Period />
      </div>
      <List
        caption="Audit log"
        columns={auditColumns}
        keyOf={({ id }) => id}
        load={load}
        changes={[JSON.stringify(filters)]}
        empty="No entry matches."
      />
    </>
  );
}

const SAVED_MAX = 10_000;

async function saveAll(
  load: (cursor: string | undefined) => Promise<{
    items: AuditEntry[];
    pagination: { next_cursor: string | null };
  }>,
): Promise<void> {
  const rows: AuditEntry[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await load(cursor ?? undefined);
    rows.push(...page.items);
    cursor = page.pagination.next_cursor;
  } while (cursor && rows.length < SAVED_MAX);
  saveCsv(
    'audit.csv',
    rows.map(({ details, ...entry }) => ({
      ...Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, value ?? ''])),
      details: JSON.stringify(details),
    })),
  );
}
