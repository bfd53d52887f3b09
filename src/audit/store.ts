import { type Kysely, type Selectable, sql } from 'kysely';
import { deletionChore } from '../environments/chore.ts';
import { firstIdAt } from '../kernel/ids.ts';
import { storableJson } from '../kernel/json.ts';
import type { PageRequest } from '../kernel/page.ts';
import type { Session } from '../storage/database.ts';
import { deletionByAge } from '../storage/deletion.ts';
import { cursor } from '../storage/list-query.ts';
import { statement } from '../storage/statement.ts';
import type { Actor, AuditEntry, AuditEntryId, AuditFilter } from './types.ts';

export const auditEntryIdPrefix = 'aud';

interface Tables {
  audit_log: {
    id: AuditEntryId;
    at: Date;
    actor_type: Actor['type'];
    actor_id: string | null;
    action: string;
    token_id: string | null;
    grant_id: string | null;
    client_id: string | null;
    user_id: string | null;
    organization_id: string | null;
    reason: string | null;
    details: AuditEntry['details'];
  };
}

const tables = (session: Session): Kysely<Tables> => session.tables<Tables>();

// By hand, and as one value: a bulk revocation writes hundreds of thousands of them, and a query builder takes most of the
// time for that.
const INSERT_AUDIT_ENTRIES = statement(
  'insert_audit_entries',
  `insert into {schema}.audit_log
     (id, at, actor_type, actor_id, action, token_id, grant_id, client_id, user_id, organization_id, reason, details)
   select id, $2::timestamptz, actor->>'type', actor->>'id', action, "tokenId", "grantId", "clientId", "userId",
          "organizationId", reason, coalesce(details, '{}')
   from jsonb_to_recordset($1::text::jsonb)
     as made(id text, actor jsonb, action text, "tokenId" text, "grantId" text, "clientId" text, "userId" text,
             "organizationId" text, reason text, details jsonb)`,
);

/** Of one instant. */
export async function insertAuditEntries(
  session: Session,
  entries: readonly Omit<AuditEntry, 'at'>[],
  at: Date,
): Promise<void> {
  await session.run(INSERT_AUDIT_ENTRIES, [storableJson(entries), at]);
}

/** Newest first. */
export async function selectAuditEntries(
  session: Session,
  filter: AuditFilter,
  page: PageRequest,
): Promise<AuditEntry[]> {
  const rows = await matching(session, filter)
    .$if(page.after !== null, (query) => query.where('id', '<', cursor<AuditEntryId>(page.after)))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute();
  return rows.map(fromRow);
}

export async function selectOldestAuditEntry(
  session: Session,
  filter: AuditFilter,
): Promise<AuditEntry | null> {
  const row = await matching(session, filter).orderBy('id').limit(1).executeTakeFirst();
  return row ? fromRow(row) : null;
}

const columns = [
  ['tokenId', 'token_id'],
  ['grantId', 'grant_id'],
  ['clientId', 'client_id'],
  ['userId', 'user_id'],
  ['organizationId', 'organization_id'],
  ['action', 'action'],
] as const;

/** Ids sort by time, so a time range is a range of the primary key. */
function matching(session: Session, filter: AuditFilter) {
  let query = tables(session).selectFrom('audit_log').selectAll();
  for (const [name, column] of columns) {
    const value = filter[name];
    if (value !== undefined) query = query.where(column, '=', value);
  }
  // Written as in its index.
  if (filter.actor !== undefined) query = query.where(sql`coalesce(actor_id, actor_type)`, '=', filter.actor);
  if (filter.details)
    query = query.where(sql<boolean>`details @> ${JSON.stringify(filter.details)}::text::jsonb`);
  if (filter.since) query = query.where('id', '>=', idAt(filter.since));
  if (filter.until) query = query.where('id', '<', idAt(filter.until));
  return query;
}

function idAt(at: Date): AuditEntryId {
  return firstIdAt(auditEntryIdPrefix, at);
}

/** Only the system has no id. */
function actorIn({ actor_type: type, actor_id: id }: Selectable<Tables['audit_log']>): Actor {
  return type === 'system' ? { type, id: null } : { type, id: id ?? '' };
}

function fromRow(row: Selectable<Tables['audit_log']>): AuditEntry {
  return {
    id: row.id,
    at: row.at,
    actor: actorIn(row),
    action: row.action,
    tokenId: row.token_id ?? undefined,
    grantId: row.grant_id ?? undefined,
    clientId: row.client_id ?? undefined,
    userId: row.user_id ?? undefined,
    organizationId: row.organization_id ?? undefined,
    reason: row.reason ?? undefined,
    details: row.details,
  };
}

const KEPT_DAYS = 400;

export const auditChore = deletionChore(
  'audit_log',
  deletionByAge('delete_audit_entries', { table: 'audit_log', idPrefix: auditEntryIdPrefix }),
  KEPT_DAYS,
);
