import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations, rights } from '../../src/compose/migrations.ts';
import { sha256Hex } from '../../src/kernel/digest.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { databaseOpener } from '../../src/storage/open-database.ts';
import { withSchema } from '../../src/storage/statement.ts';
import { makeRoles, testRoles, withRole } from '../support/database/database-way.ts';
import { databasesAt } from '../support/database/databases.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../support/database/postgres-database.ts';
import { loadStores, statementsOfService } from '../support/database/service-statements.ts';
import { runCommandLine } from '../support/service/command-line.ts';
import { startTestServiceOn } from '../support/service/test-service.ts';

const SCHEMAS = ['dateline_production', 'dateline_sandbox'] as const;
const NEWEST = migrations.at(-1)?.name;

/** Rows of these are never deleted: not even by a service that was taken over. */
const KEPT = [
  'migrations',
  'oauth_client_secrets',
  'operator_keys',
  'quickstart',
  'release_notices',
  'releases',
  'secret_key',
  'users',
  'webhook_backlog',
];
/** Rows of these are never changed. */
const UNCHANGED = [
  'audit_log',
  'failed_requests',
  'migrations',
  'occurrences',
  'password_links',
  'published_occurrences',
  'quickstart',
  'release_notices',
  'releases',
  'webhook_attempts',
];

describe('two roles in a database', () => {
  let database: PostgresDatabase;
  let [ownerUrl, serviceUrl] = ['', ''];
  beforeAll(async () => {
    database = await createPostgresDatabase({ migrated: false });
    await makeRoles(database.adminUrl);
    ownerUrl = withRole(database.adminUrl, testRoles.owner);
    serviceUrl = withRole(database.adminUrl, testRoles.service);
  });
  afterAll(() => database?.drop());

  const migrateCommand = (url: string, ...args: string[]) =>
    runCommandLine(['migrate', ...args], { DATABASE_URL: url });

  async function ask<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  it('let the one that serves start on migrated tables only, and say what to run', async () => {
    const open = databaseOpener({ databaseUrl: serviceUrl, dataDir: '.', poolMax: 1, onError() {} });
    const opened = await open('sandbox');
    await expect(migrate(opened, migrations, { rights })).rejects.toThrow(
      `The schema dateline_sandbox lacks ${migrations.length} migrations, up to ${NEWEST}, and the role of DATABASE_URL may not make them: run "dateline migrate" with the role that owns it, then start again.`,
    );
    await opened.close();
    const { code, err } = await migrateCommand(serviceUrl);
    expect([code, err]).toEqual([
      1,
      'dateline: The role of this address may not change the schema dateline_production; run "dateline migrate" with the role that owns it.\n',
    ]);
  });

  it('`dateline migrate` migrates once, also side by side, and says what it did', async () => {
    const results = await Promise.all([1, 2, 3].map(() => migrateCommand(ownerUrl)));
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
    const done = (what: string) =>
      ['production', 'sandbox'].map(
        (name) => `${name}: ${what}, at ${NEWEST}; ${testRoles.service} has the rights to serve\n`,
      );
    const said = results.flatMap(({ out }) => out.split(/(?<=\n)/)).sort();
    const [idle, busy] = [done('nothing to migrate'), done(`${migrations.length} migrations applied`)];
    expect(said).toEqual([...busy, ...idle, ...idle].sort());
    const progress = results.flatMap(({ err }) => err.match(/^sandbox: .+$/gm) ?? []);
    expect(progress).toEqual(migrations.map(({ name }) => `sandbox: ${name}`));
    const [again] = JSON.parse((await migrateCommand(ownerUrl, '--json')).out);
    expect(again).toEqual({
      environment: 'production',
      applied: [],
      newest: NEWEST,
      service_role: testRoles.service,
    });
  });

  it('give the one that serves the right to every statement of the rooms', async () => {
    await loadStores();
    const client = new pg.Client({ connectionString: serviceUrl });
    await client.connect();
    const statements = statementsOfService();
    expect(statements.length).toBeGreaterThan(80);
    for (const { text } of statements)
      for (const schema of SCHEMAS) await client.query(`explain (generic_plan) ${withSchema(text, schema)}`);
    await client.end();
  });

  it('give it no table to delete from, or to change, beyond that', async () => {
    const found = await ask<{ schema: string; table: string; deletes: boolean; updates: boolean }>(
      serviceUrl,
      `select schemaname as schema, tablename as table,
              has_table_privilege(format('%I.%I', schemaname, tablename), 'delete') as deletes,
              has_table_privilege(format('%I.%I', schemaname, tablename), 'update') as updates
       from pg_tables where schemaname like 'dateline\\_%' order by schemaname, tablename`,
    );
    for (const schema of SCHEMAS) {
      const tables = found.filter((row) => row.schema === schema);
      expect(tables.filter(({ deletes }) => !deletes).map(({ table }) => table)).toEqual(KEPT);
      expect(tables.filter(({ updates }) => !updates).map(({ table }) => table)).toEqual(UNCHANGED);
    }
  });

  it.each([
    'create table dateline_sandbox.mine (id integer)',
    'create table public.mine (id integer)',
    'create temporary table mine (id integer)',
    'create schema mine',
    'alter table dateline_sandbox.oauth_tokens add column mine integer',
    'drop table dateline_sandbox.releases',
    'truncate dateline_sandbox.oauth_tokens',
    'delete from dateline_sandbox.releases',
    'delete from dateline_sandbox.users',
    `update dateline_sandbox.audit_log set actor_id = 'nobody'`,
    `update dateline_sandbox.migrations set name = 'none'`,
    `alter role ${testRoles.owner} password 'mine'`,
    `set role ${testRoles.owner}`,
  ])('refuse the one that serves: %s', async (sql) => {
    await expect(ask(serviceUrl, sql)).rejects.toMatchObject({
      message: expect.stringMatching(/permission denied|must be owner/),
      code: '42501',
    });
  });

  it('let it see what other roles do', async () => {
    const client = new pg.Client({ connectionString: database.adminUrl });
    await client.connect();
    const seen = await ask<{ query: string }>(
      serviceUrl,
      `select query from pg_stat_activity where datname = current_database() and usename <> session_user`,
    );
    await client.end();
    expect(seen).not.toEqual([]);
    expect(seen.map(({ query }) => query)).not.toContain('<insufficient privilege>');
  });

  it('serve and seed as the one that serves', async () => {
    const service = await startTestServiceOn(databasesAt(serviceUrl));
    const { operator_key } = service.quickstart.production;
    expect(operator_key).toMatch(/^dl_op_/);
    const created = await service.operate('sandbox', '/operator/organizations', {
      method: 'POST',
      body: { name: 'Served' },
    });
    expect(created.status).toBe(201);
    await service.stop();
  });

  it('give it rights on a table of a later migration, and none that are not listed any more', async () => {
    const sql = 'create table {schema}.later (id integer)';
    const later = { number: migrations.length + 1, name: '9999-later', sql, sha256: sha256Hex(sql) };
    const open = databaseOpener({ databaseUrl: ownerUrl, dataDir: '.', poolMax: 1, onError() {} });
    const owner = await open('sandbox');
    await migrate(owner, [...migrations, later], { rights: 'grant select on {schema}.later to {role};' });
    await owner.close();
    expect(await ask(serviceUrl, 'select * from dateline_sandbox.later')).toEqual([]);
    await expect(ask(serviceUrl, 'select * from dateline_sandbox.users')).rejects.toThrow(
      /permission denied/,
    );
  });
});
