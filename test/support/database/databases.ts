import { readFileSync } from 'node:fs';
import { describe, inject } from 'vitest';
import type { EnvironmentName } from '../../../src/environments/environment.ts';
import type { Database } from '../../../src/storage/database.ts';
import { schemaOf } from '../../../src/storage/open-database.ts';
import { type EmbeddedDatabase, openPGlite } from '../../../src/storage/pglite.ts';
import { openPostgres } from '../../../src/storage/postgres.ts';
import { statement } from '../../../src/storage/statement.ts';
import { databaseWay } from './database-way.ts';
import { createPostgresDatabase } from './postgres-database.ts';
import type { TestDatabases } from './test-databases.ts';

export const engines = ['PGlite', 'PostgreSQL'] as const;
export type Engine = (typeof engines)[number];

type Define = (engine: Engine) => void;

/** `npm run test:long` runs every suite on both databases; `npm test` runs most of them on one. */
export const isFullMatrix = process.env.TEST_MATRIX === 'full';

/** For code that depends on the engine: storage, and statements written for one of them. */
export function onBothDatabases(title: string, define: Define): void {
  describe.each(engines)(`${title} (%s)`, define);
}

/** For suites over HTTP or with several nodes. A service on PostgreSQL starts in a third of the time. */
export function onPostgresFirst(title: string, define: Define): void {
  describe.each(isFullMatrix ? engines : (['PostgreSQL'] as const))(`${title} (%s)`, define);
}

/** For rooms on their own: the embedded database runs every one of their statements. */
export function onEmbeddedFirst(title: string, define: Define): void {
  describe.each(isFullMatrix ? engines : (['PGlite'] as const))(`${title} (%s)`, define);
}

/** For suites that run once, because they are not about the database. */
export const anyEngine: Engine = isFullMatrix ? 'PGlite' : 'PostgreSQL';

/** Migrated, empty and used by one suite only. */
export async function createTestDatabases(engine: Engine): Promise<TestDatabases> {
  return engine === 'PGlite' ? pgliteDatabases() : postgresDatabases();
}

/** Embedded databases of this worker that no suite uses at the moment. Opening one takes two seconds. */
const idle: EmbeddedDatabase[] = [];

async function pgliteDatabases(): Promise<TestDatabases> {
  const embedded = idle.pop() ?? (await openMigratedPGlite());
  // A handle that no suite knows of: the instance would be closed with the last of its handles.
  const keeper = embedded.database('keeper');
  const shape = await shapeOf(keeper);
  const databases = remembering(async (environment) => embedded.database(schemaOf(environment)));
  return {
    open: databases.open,
    async close() {
      await databases.close();
      // A suite may have broken it on purpose.
      if ((await shapeOf(keeper)) !== shape) return keeper.close();
      await empty(keeper);
      idle.push(embedded);
    },
  };
}

function openMigratedPGlite(): Promise<EmbeddedDatabase> {
  return openPGlite({ folder: null, dump: new Blob([readFileSync(inject('pgliteDump'))]) });
}

/** The columns of all tables, as one text. */
async function shapeOf(database: Database): Promise<string | undefined> {
  const [row] = await database.run<{ shape: string }>(
    statement(
      'shape',
      `select string_agg(table_schema || '.' || table_name || '.' || column_name, ' ' order by table_schema, table_name,
                         column_name) as shape
       from information_schema.columns where table_schema like 'dateline\\_%'`,
    ),
    [],
  );
  return row?.shape;
}

/** Deletes all that a suite stored, as if the database had just been migrated. */
async function empty(database: Database): Promise<void> {
  const tables = await database.run<{ name: string }>(
    statement(
      'tables',
      `select format('%I.%I', schemaname, tablename) as name from pg_catalog.pg_tables
       where schemaname like 'dateline\\_%' and tablename <> 'migrations'`,
    ),
    [],
  );
  await database.migration((session) =>
    session.script(`truncate ${tables.map(({ name }) => name).join(', ')} restart identity cascade`),
  );
}

/**
 * The same on PostgreSQL, at an address that leads there by a way of its own: never through a pooler, because such ways look for the
 * names of statements.
 */
export async function postgresDatabases(
  way?: (url: string) => string | Promise<string>,
): Promise<TestDatabases> {
  const { url, adminUrl, drop } = await createPostgresDatabase({ migrated: true });
  const straight = databaseWay === 'pooler' ? adminUrl : url;
  const databases = databasesAt(way ? await way(straight) : url);
  return {
    open: databases.open,
    async close() {
      await databases.close();
      await drop();
    },
  };
}

/** Databases on the PostgreSQL server at this URL. */
export function databasesAt(url: string): TestDatabases {
  return remembering(async (environment) =>
    openPostgres({ schema: schemaOf(environment), url, poolMax: 8, onError() {} }),
  );
}

function remembering(open: (environment: EnvironmentName) => Promise<Database>): TestDatabases {
  const opened = new Map<EnvironmentName, Promise<Database>>();
  return {
    open(environment) {
      const database = opened.get(environment) ?? open(environment);
      opened.set(environment, database);
      return database;
    },
    async close() {
      for (const database of opened.values()) await (await database).close().catch(() => {});
    },
  };
}
