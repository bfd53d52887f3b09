import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations } from '../../src/compose/migrations.ts';
import { sha256Hex } from '../../src/kernel/digest.ts';
import type { Database } from '../../src/storage/database.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { type Migration, readMigrations } from '../../src/storage/migrations.ts';
import { openPGlite } from '../../src/storage/pglite.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import { statement } from '../../src/storage/statement.ts';
import { readBuiltBlank } from '../support/database/built-blank.ts';
import { type Engine, onBothDatabases } from '../support/database/databases.ts';
import { createPostgresDatabase } from '../support/database/postgres-database.ts';

const APPLIED = statement('applied', 'select number, name from {schema}.migrations order by number');
const TABLES = statement(
  'tables',
  'select tablename from pg_tables where schemaname = $1 order by tablename',
);

const step = (number: number, name: string, sql: string): Migration => ({
  number,
  name,
  sql,
  sha256: sha256Hex(sql),
});

const ONE = step(1, '0001-things', 'create table {schema}.things (id integer primary key)');
const TWO = step(2, '0002-names', 'alter table {schema}.things add column name text');
const BROKEN = step(
  3,
  '0003-broken',
  'create table {schema}.others (id integer); alter table {schema}.nowhere add column x text',
);

onBothDatabases('migrating', (engine) => {
  let databases: TestDatabases;
  let opened = 0;
  beforeAll(async () => {
    databases = await openUnmigrated(engine);
  });
  afterAll(() => databases.close());

  /** A schema that does not exist yet. */
  async function openEmpty(): Promise<Database> {
    opened += 1;
    return databases.open(`dateline_${opened}`);
  }

  it('applies new migrations, in order, once', async () => {
    const database = await openEmpty();
    expect(await migrate(database, [ONE])).toEqual([ONE]);
    expect(await migrate(database, [ONE, TWO])).toEqual([TWO]);
    expect(await migrate(database, [ONE, TWO])).toEqual([]);
    expect(await database.run(APPLIED, [])).toEqual([
      { number: 1, name: '0001-things' },
      { number: 2, name: '0002-names' },
    ]);
  });

  it('happens once when ten processes start at the same time', async () => {
    const database = await openEmpty();
    const applied = await Promise.all(Array.from({ length: 10 }, () => migrate(database, migrations)));
    expect(applied.flat().map(({ name }) => name)).toEqual(migrations.map(({ name }) => name));
  });

  it('changes nothing when one migration fails', async () => {
    const database = await openEmpty();
    await migrate(database, [ONE]);
    await expect(migrate(database, [ONE, TWO, BROKEN])).rejects.toMatchObject({ code: '42P01' });
    expect(await database.run(APPLIED, [])).toEqual([{ number: 1, name: '0001-things' }]);
    expect(await database.run(TABLES, [database.schema])).toEqual([
      { tablename: 'migrations' },
      { tablename: 'things' },
    ]);
  });

  it('rejects by name an old migration whose text was changed', async () => {
    const database = await openEmpty();
    await migrate(database, [ONE, TWO]);
    const changed = step(1, '0001-things', `${ONE.sql} -- changed`);
    await expect(migrate(database, [changed, TWO])).rejects.toThrow(
      /^Migration 0001-things was changed after/,
    );
  });

  it('rejects by name a database that a newer build has migrated', async () => {
    const database = await openEmpty();
    await migrate(database, [ONE, TWO]);
    await expect(migrate(database, [ONE])).rejects.toThrow(
      /^The database holds migration 0002-names, which this build/,
    );
  });

  it('creates every table in the environment’s own schema', async () => {
    const database = await openEmpty();
    await migrate(database, migrations);
    const own = await database.run(TABLES, [database.schema]);
    expect(own.length).toBeGreaterThan(5);
    expect(await database.run(TABLES, ['public'])).toEqual([]);
  });
});

interface TestDatabases {
  open(schema: string): Database;
  close(): Promise<void>;
}

async function openUnmigrated(engine: Engine): Promise<TestDatabases> {
  const opened: Database[] = [];
  const keep = (database: Database): Database => {
    opened.push(database);
    return database;
  };
  const closeAll = async (): Promise<void> => {
    for (const database of opened) await database.close();
  };
  if (engine === 'PGlite') {
    const embedded = await openPGlite({ folder: null, dump: readBuiltBlank() });
    return { open: (schema) => keep(embedded.database(schema)), close: closeAll };
  }
  const { url, drop } = await createPostgresDatabase({ migrated: false });
  return {
    open: (schema) => keep(openPostgres({ schema, url, poolMax: 12, onError() {} })),
    async close() {
      await closeAll();
      await drop();
    },
  };
}

describe('migration files', () => {
  function folderWith(...files: string[]): URL {
    const folder = mkdtempSync(join(tmpdir(), 'dateline-migrations-'));
    for (const file of files) writeFileSync(join(folder, file), 'select 1');
    afterAll(() => rmSync(folder, { recursive: true }));
    return pathToFileURL(`${folder}/`);
  }

  it('of several rooms are sorted by number', () => {
    const names = readMigrations([folderWith('0002-b.sql'), folderWith('0001-a.sql', '0003-c.sql')]).map(
      ({ name }) => name,
    );
    expect(names).toEqual(['0001-a', '0002-b', '0003-c']);
  });

  it('must be numbered without a gap or a repetition', () => {
    expect(() => readMigrations([folderWith('0001-a.sql', '0003-c.sql')])).toThrow(
      '0003-c should have number 2',
    );
  });

  it('[outside2 29] that have one number are both named, with what to do', () => {
    const folders = [folderWith('0001-a.sql', '0002-landed.sql'), folderWith('0002-mine.sql', '0003-c.sql')];
    expect(() => readMigrations(folders)).toThrow(
      /two migrations have the number 2: 0002-landed and 0002-mine; give the one that has not landed yet the next number, 0004/,
    );
  });

  it('must be named like 0001-what-it-adds.sql', () => {
    expect(() => readMigrations([folderWith('1-a.sql')])).toThrow('1-a.sql is not');
  });
});
