import { existsSync, readFileSync } from 'node:fs';
import type { MigrationSession } from './database.ts';
import { statement } from './statement.ts';

/** What the role that serves may do with the tables of the rooms, as SQL. */
export type Rights = string;

/** Rooms keep theirs beside their migrations. `{role}` is the role that serves. */
export const RIGHTS_FILE = 'rights.sql';

export function readRights(folders: readonly URL[]): Rights {
  const files = folders.map((folder) => new URL(RIGHTS_FILE, folder)).filter((file) => existsSync(file));
  return files.map((file) => readFileSync(file, 'utf8')).join('\n');
}

// A setting of the role that owns the tables: see deploy/roles.sql.
const SERVICE_ROLE = statement(
  'service_role',
  "select quote_ident(nullif(current_setting('dateline.service_role', true), '')) as role",
);

/**
 * Gives the role that serves exactly these rights, where there is one beside the owner. Returns its name, or null.
 */
export async function grantRights(session: MigrationSession, rights: Rights): Promise<string | null> {
  const [row] = await session.run<{ role: string | null }>(SERVICE_ROLE, []);
  const role = row?.role ?? null;
  if (role === null) return null;
  await session.script(
    [
      'revoke all on all tables in schema {schema} from {role};',
      'grant usage on schema {schema} to {role};',
      'grant select on {schema}.migrations to {role};',
      rights,
    ]
      .join('\n')
      .replaceAll('{role}', () => role),
  );
  return role;
}
