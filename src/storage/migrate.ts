import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '../errors/startup-error.ts';
import type { Database, MigrationSession } from './database.ts';
import type { Migration } from './migrations.ts';
import { statement } from './statement.ts';
import { isLockTimeout, isPermissionDenied } from './storage-error.ts';

export interface MigrateOptions {
  /** Prints a sentence about what takes long. */
  say?(sentence: string): void;
  patience?: Patience;
}

/** The waits of a migration for locks on tables that others read or change. */
export interface Patience {
  /** Lock timeout of a statement: everybody behind it in the queue waits as long. */
  lockMs: number;
  /** Pause before the next try, so that the others can pass. */
  pauseMs: number;
  triesMax: number;
}

const PATIENCE: Patience = { lockMs: 1_000, pauseMs: 2_000, triesMax: 100 };

/**
 * Brings a schema up to date, in one transaction under a lock: nodes that start together migrate once, and a
 * migration that fails leaves everything as it was. Returns what was applied.
 *
 * A change of a table that waits for a long reader keeps all later readers waiting, so it gives up its place soon and tries again.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
  { say = () => {}, patience = PATIENCE }: MigrateOptions = {},
): Promise<Migration[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await migrateOnce(database, migrations, patience);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (tries >= patience.triesMax) throw stillLocked(database, tries);
      if (tries === 1 || tries % SAY_EVERY === 0)
        say(
          `A migration of ${database.schema} waits for a lock on a table that another session holds; tried ${tries} of ${patience.triesMax} times.`,
        );
      await delay(patience.pauseMs);
    }
  }
}

const SAY_EVERY = 10;

function stillLocked({ schema }: Database, tries: number): StartupError {
  return new StartupError(
    `A migration of ${schema} got no lock on a table in ${tries} tries: another session holds it. End that session (pg_stat_activity lists open transactions), then start again.`,
  );
}

async function migrateOnce(
  database: Database,
  migrations: readonly Migration[],
  { lockMs }: Patience,
): Promise<Migration[]> {
  return database.migration(async (session) => {
    await session.lock('migrations');
    await createSchema(database.schema, session);
    const pending = pendingMigrations(await session.run<AppliedMigration>(READ_APPLIED, []), migrations);
    // Not before: others that migrate are waited for.
    await session.script(`set local lock_timeout = ${lockMs}`);
    for (const migration of pending) {
      await session.script(migration.sql);
      await session.run(RECORD, [migration.number, migration.name, migration.sha256]);
    }
    await keepPlanSettings(database, session);
    return pending;
  });
}

interface AppliedMigration {
  number: number;
  name: string;
  sha256: string;
}

const FIND_SCHEMA = statement('find_schema', 'select 1 from pg_namespace where nspname = $1');
const READ_APPLIED = statement(
  'read_applied',
  'select number, name, sha256 from {schema}.migrations order by number',
);
const RECORD = statement(
  'record_migration',
  'insert into {schema}.migrations (number, name, sha256) values ($1, $2, $3)',
);

const CREATE_TABLE = `create table if not exists {schema}.migrations (
  number integer primary key,
  name text not null,
  sha256 text not null,
  applied_at timestamptz not null default now()
)`;

async function createSchema(schema: string, session: MigrationSession): Promise<void> {
  // `create schema if not exists` needs the right to create one even where it exists already.
  const found = await session.run(FIND_SCHEMA, [schema]);
  try {
    if (found.length === 0) await session.script('create schema {schema}');
    await session.script(CREATE_TABLE);
  } catch (error) {
    if (!isPermissionDenied(error)) throw error;
    throw new StartupError(
      `The role of DATABASE_URL may not create tables in the schema ${schema}; create the schema for it: create schema ${schema} authorization <role>.`,
    );
  }
}

function pendingMigrations(applied: readonly AppliedMigration[], known: readonly Migration[]): Migration[] {
  for (const { number, name, sha256 } of applied) {
    const migration = known[number - 1];
    if (!migration) {
      throw new StartupError(
        `The database holds migration ${name}, which this build does not know: a newer build migrated it. Start that build, or restore a backup.`,
      );
    }
    if (migration.sha256 !== sha256) {
      throw new StartupError(
        `Migration ${name} was changed after it had been applied to this database; restore its old text and put the change into a new migration.`,
      );
    }
  }
  return known.slice(applied.length);
}

/**
 * Our connections read tables by their indexes (`enable_seqscan`), also those that check foreign keys. What a connection
 * sets for itself does not hold behind a pooler that hands out server connections by the transaction, so it is the default
 * of our role in this database too. Who wants another one for that role sets it: it is left as it is.
 */
export async function keepPlanSettings({ engine }: Database, session: MigrationSession): Promise<void> {
  if (engine === 'postgres') await session.script(KEEP);
}

// Two nodes that change the same row of the catalogue at once would fail. Without the right to it, a role has what its
// connections set.
const KEEP = `do $$
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('dateline plan settings', 0));
  if not exists (
    select 1 from pg_catalog.pg_db_role_setting s
    join pg_catalog.pg_roles r on r.oid = s.setrole
    left join pg_catalog.pg_database d on d.oid = s.setdatabase
    where r.rolname = session_user and (d.datname is null or d.datname = pg_catalog.current_database())
      and pg_catalog.array_to_string(s.setconfig, ',') like '%enable_seqscan=%'
  ) then
    execute pg_catalog.format('alter role %I in database %I set enable_seqscan = off', session_user, pg_catalog.current_database());
  end if;
exception when insufficient_privilege then null;
end $$`;
