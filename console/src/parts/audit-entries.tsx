import type { ItemOf } from '../api.ts';
import { hrefOf } from '../router.ts';
import { Notice } from './notice.tsx';
import { type Column, Table } from './table.tsx';
import { Time } from './time.tsx';

export type AuditEntry = ItemOf<'/operator/audit'>;

export const auditColumns: readonly Column<AuditEntry>[] = [
  { name: 'When', shows: ({ at }) => <Time at={at} /> },
  { name: 'Who', shows: (entry) => actorWords(entry) },
  { name: 'What', shows: ({ action }) => action },
  { name: 'To', shows: (entry) => <Objects entry={entry} /> },
  { name: 'Why', shows: ({ reason }) => reason ?? '' },
];

/** `operator Ann (opk_…)`; without a name the id alone. */
export function actorWords({
  actor_type: type,
  actor_id: id,
  actor_name: name,
}: {
  actor_type: string | null;
  actor_id: string | null;
  actor_name: string | null;
}): string {
  return [type, name, name === null ? id : `(${id})`].filter(Boolean).join(' ');
}

function Objects({ entry }: { entry: AuditEntry }) {
  const { client_id, user_id, organization_id, token_id, grant_id } = entry;
  return (
    <>
      {client_id && <a href={hrefOf(`/clients/${client_id}`)}>{client_id} </a>}
      {user_id && <a href={hrefOf(`/people/users/${user_id}`)}>{user_id} </a>}
      {organization_id && <a href={hrefOf(`/people/organizations/${organization_id}`)}>{organization_id} </a>}
      {[token_id, grant_id].filter(Boolean).join(' ')}
    </>
  );
}

export function AuditEntries({ items }: { items: readonly AuditEntry[] }) {
  if (items.length === 0) return <Notice kind="empty">The audit log has no entry about it.</Notice>;
  return <Table caption="Audit log" rows={items} keyOf={({ id }) => id} columns={auditColumns} />;
}
