import { inject } from 'vitest';
import type { Database } from '../../../src/storage/database.ts';
import { statement, withSchema } from '../../../src/storage/statement.ts';
import { runSql } from './shifted-database.ts';

const DATABASE_NAME = statement('database_name', 'select current_database() as name');

/** Does to a database what the service never does, and its role may not do: see `databaseWay`. */
export async function runAsAdmin(database: Database, sql: string): Promise<void> {
  if (database.engine === 'pglite') return database.migration((session) => session.script(sql));
  const [row] = await database.run<{ name: string }>(DATABASE_NAME, []);
  await runSql(`${inject('postgresUrl')}/${row?.name}`, withSchema(sql, database.schema));
}
