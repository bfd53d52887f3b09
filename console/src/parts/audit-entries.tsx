import type { ItemOf } from '../api.ts';
import { Id } from './facts.tsx';
import { Actor, Named } from './named.tsx';
import { Notice } from './notice.tsx';
import { type Column, Table } from './table.tsx';
import { Time } from './time.tsx';

export type AuditEntry = ItemOf<'/operator/audit'>;

export const auditColumns: readonly Column<AuditEntry>[] = [
  { name: 'When', shows: ({ at }) => <Time at={at} /> },
  { name: 'Who', shows: (entry) => <Actor {...entry} />, isText: true },
  { name: 'What', shows: ({ action }) => action },
  { name: 'To', shows: (entry) => <Objects entry={entry} />, isText: true },
  { name: 'Why', shows: ({ reason }) => reason ?? '', isText: true },
];

function Objects({ entry }: { entry: AuditEntry }) {
  const { client_id, user_id, organization_id, token_id, grant_id } = entry;
  return (
    <>
      {client_id && <Named kind="client" id={client_id} name={entry.client_name} />}
      {user_id && <Named kind="user" id={user_id} name={entry.user_name} />}
      {organization_id && <Named kind="organization" id={organization_id} name={entry.organization_name} />}
      {[token_id, grant_id].map(
        (id) =>
          id && (
            <span key={id} class="named">
              <Id>{id}</Id>
            </span>
          ),
      )}
    </>
  );
}

export function AuditEntries({ items }: { items: readonly AuditEntry[] }) {
  if (items.length === 0) return <Notice kind="empty">The audit log has no entry about it.</Notice>;
  return <Table caption="Audit log" rows={items} keyOf={({ id }) => id} columns={auditColumns} />;
}
