import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '../errors/startup-error.ts';
import { present } from '../kernel/presence.ts';
import type { Database, MigrationSession, Session } from './database.ts';
import type { Migration } from './migrations.ts';
import { grantRights, type Rights } from './rights.ts';
import { statement } from './statement.ts';
import { isLockTimeout, isPermissionDenied } from './storage-error.ts';

export interface MigrateOptions {
  /** Prints a sentence about what takes long. */
  say?(sentence: string): void;
  /** Called before each migration. */
  onMigration?(migration: Migration): void;
  patience?: Patience;
  /** What another role than the owner may do with the tables; given to the role that the database names for that. */
  rights?: Rights;
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

export interface Migrated {
  applied: Migration[];
  /** The role that was given the rights to serve, if there is one beside the owner. */
  serviceRole: string | null;
}

/**
 * Brings a schema up to date if it is not. One that is up to date is only read, so the role that serves need not own it. Returns
 * what was applied.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
  options: MigrateOptions = {},
): Promise<Migration[]> {
  const missing = await missingMigrations(database, migrations);
  if (missing.length === 0) return [];
  const { applied } = await migrateAsOwner(database, migrations, options).catch((error: unknown) => {
    throw isPermissionDenied(error) ? mayNotMigrate(database, missing) : error;
  });
  await refuseOtherDatabase(database, migrations);
  return applied;
}

/**
 * Migrates in one transaction under a lock: nodes that start together migrate once, and a migration that fails leaves everything
 * as it was. Also renews the rights of the role that serves.
 *
 * A change of a table that waits for a long reader keeps all later readers waiting, so it gives up its place soon and tries again.
 */
export async function migrateAsOwner(
  database: Database,
  migrations: readonly Migration[],
  options: MigrateOptions = {},
): Promise<Migrated> {
  const { say = () => {}, patience = PATIENCE } = options;
  for (let tries = 1; ; tries += 1) {
    try {
      return await migrateOnce(database, migrations, { ...options, patience });
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

async function missingMigrations(
  database: Database,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  const { schema } = database;
  if ((await database.run(FIND_MIGRATIONS, [schema])).length === 0) return migrations;
  try {
    return pendingMigrations(await database.run<AppliedMigration>(READ_APPLIED, []), migrations);
  } catch (error) {
    if (!isPermissionDenied(error)) throw error;
    throw new StartupError(
      `The role of DATABASE_URL may not read the schema ${schema}; run "dateline migrate" with the role that owns it, which gives the role that serves its rights (deploy/roles.sql).`,
    );
  }
}

function mayNotMigrate({ schema }: Database, missing: readonly Migration[]): StartupError {
  return new StartupError(
    `The schema ${schema} lacks ${missing.length} migrations, up to ${missing.at(-1)?.name}, and the role of DATABASE_URL may not make them: run "dateline migrate" with the role that owns it, then start again.`,
  );
}

/** Migrations go past a pooler, by an address of their own. */
async function refuseOtherDatabase(database: Database, migrations: readonly Migration[]): Promise<void> {
  if ((await missingMigrations(database, migrations)).length === 0) return;
  throw new StartupError(
    `DATABASE_DIRECT_URL leads to another database than DATABASE_URL: the schema ${database.schema} was migrated there; correct the address.`,
  );
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
  { patience, rights = '', onMigration }: MigrateOptions & { patience: Patience },
): Promise<Migrated> {
  return database.migration(async (session) => {
    await session.lock('migrations');
    await createSchema(database.schema, session);
    const pending = pendingMigrations(await session.run<AppliedMigration>(READ_APPLIED, []), migrations);
    // Not before: others that migrate are waited for.
    await session.script(`set local lock_timeout = ${patience.lockMs}`);
    for (const migration of pending) {
      onMigration?.(migration);
      await session.script(migration.sql);
      await session.run(RECORD, [migration.number, migration.name, migration.sha256]);
    }
    return { applied: pending, serviceRole: await grantRights(session, rights) };
  });
}

interface AppliedMigration {
  number: number;
  name: string;
  sha256: string;
}

/** The name of the newest migration of a schema that has some. */
export async function newestMigration(session: Session): Promise<string> {
  const applied = await session.run<AppliedMigration>(READ_APPLIED, []);
  return present(applied.at(-1), 'a migration').name;
}

const FIND_SCHEMA = statement('find_schema', 'select 1 from pg_namespace where nspname = $1');
const FIND_MIGRATIONS = statement(
  'find_migrations',
  "select 1 from pg_catalog.pg_tables where schemaname = $1 and tablename = 'migrations'",
);
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
  if (found.length === 0) await session.script('create schema {schema}').catch(mayNotCreate(schema));
  await session.script(CREATE_TABLE);
}

function mayNotCreate(schema: string): (error: unknown) => never {
  return (error) => {
    if (!isPermissionDenied(error)) throw error;
    throw new StartupError(
      `The role of DATABASE_URL may not create the schema ${schema}; create it for the role: create schema ${schema} authorization <role>.`,
    );
  };
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
