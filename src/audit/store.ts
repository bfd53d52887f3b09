import type { Kysely } from 'kysely';
import type { Session } from '../storage/database.ts';
import type { Actor, AuditEntry, AuditEntryId } from './types.ts';

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
    details: unknown;
  };
}

const tables = (session: Session): Kysely<Tables> => session.tables<Tables>();

export async function insertAuditEntries(session: Session, entries: readonly AuditEntry[]): Promise<void> {
  await tables(session).insertInto('audit_log').values(entries.map(toRow)).execute();
}

function toRow(entry: AuditEntry): Tables['audit_log'] {
  return {
    id: entry.id,
    at: entry.at,
    actor_type: entry.actor.type,
    actor_id: entry.actor.id,
    action: entry.action,
    token_id: entry.tokenId ?? null,
    grant_id: entry.grantId ?? null,
    client_id: entry.clientId ?? null,
    user_id: entry.userId ?? null,
    organization_id: entry.organizationId ?? null,
    reason: entry.reason ?? null,
    details: JSON.stringify(entry.details ?? {}),
  };
}
