import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Quickstart } from '../../../src/quickstart/quickstart-file.ts';
import { openPGlite } from '../../../src/storage/pglite.ts';
import { readBuiltBlank } from './built-blank.ts';
import type { Engine } from './databases.ts';
import { databasesAt } from './databases.ts';
import { createPostgresDatabase } from './postgres-database.ts';
import { runSql } from './shifted-database.ts';
import type { TestDatabases } from './test-databases.ts';

/** What callers of a former build were told, before its database was dumped. */
export interface OldFacts {
  /** When that was. */
  at: string;
  secret_key: string;
  issuers: { production: string; sandbox: string };
  quickstart: Quickstart;
  /** A client of production, with a token. */
  production: { client_id: string; client_secret: string; access_token: string };
  /** Of the sandbox: of the client itself, live and revoked, and of a grant that was refreshed once. */
  tokens: { own: string; revoked: string; rotated: string; refresh: string };
  introspected: Record<keyof OldFacts['tokens'], unknown>;
  endpoints: readonly { id: string; pinned_version: string; api_version: string }[];
  delivered: readonly { id: string; body: string }[];
  versions: { current: string; states: readonly (readonly string[])[] };
}

const dumps = new URL('../../storage/dumps/', import.meta.url);

export function factsOf(commit: string): OldFacts {
  return JSON.parse(readFileSync(new URL(`${commit}.json`, dumps), 'utf8'));
}

/** The database of a former build, as `pg_dump --inserts` wrote it. */
export async function openOldDatabase(commit: string, engine: Engine): Promise<TestDatabases> {
  const sql = sqlOf(commit);
  if (engine === 'PGlite') {
    const embedded = await openPGlite({ folder: null, dump: readBuiltBlank() });
    const keeper = embedded.database('keeper');
    // Those of the blank database are newer.
    const dropped = 'drop schema dateline_production, dateline_sandbox cascade;';
    await keeper.migration((session) => session.script(`${dropped}\n${sql}`));
    const handles = {
      production: embedded.database('dateline_production'),
      sandbox: embedded.database('dateline_sandbox'),
    };
    return {
      open: async (environment) => handles[environment],
      close: () =>
        Promise.all([keeper, ...Object.values(handles)].map((handle) => handle.close())).then(() => {}),
    };
  }
  const { url, drop } = await createPostgresDatabase({ migrated: false });
  await runSql(url, sql);
  const databases = databasesAt(url);
  return {
    open: databases.open,
    async close() {
      await databases.close();
      await drop();
    },
  };
}

/** Without the commands to psql, and without settings of the session. */
function sqlOf(commit: string): string {
  const text = gunzipSync(readFileSync(new URL(`${commit}.sql.gz`, dumps))).toString();
  return text.replaceAll(/^(\\|SET |SELECT pg_catalog\.set_config).*$/gm, '');
}
