import type { Session } from '../../../src/storage/database.ts';

interface Tables {
  audit_log: {
    id: string;
    at: Date;
    actor_type: string;
    actor_id: string | null;
    action: string;
    token_id: string | null;
    grant_id: string | null;
    client_id: string | null;
    user_id: string | null;
    organization_id: string | null;
    reason: string | null;
    details: Record<string, unknown>;
  };
  occurrences: { id: string; type: string; organization_ids: string[]; data: Record<string, unknown> };
}

/** The rows that the service recorded, in the order of time. */
export function writtenDown(session: Session) {
  const tables = session.tables<Tables>();
  return {
    audit: (action: string) =>
      tables.selectFrom('audit_log').selectAll().where('action', '=', action).orderBy('id').execute(),
    occurrences: (type: string) =>
      tables.selectFrom('occurrences').selectAll().where('type', '=', type).orderBy('id').execute(),
  };
}
