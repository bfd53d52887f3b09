import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/storage/database.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import { statement } from '../../src/storage/statement.ts';
import { type PgBouncer, startPgBouncer } from '../support/database/pgbouncer.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../support/database/postgres-database.ts';
import { describeWith } from '../support/run/needs.ts';

const SETTINGS = statement(
  'pooler_settings',
  `select name, setting from pg_settings
   where name in ('search_path', 'synchronous_commit', 'statement_timeout', 'enable_seqscan') order by name`,
);
const OURS = [
  { name: 'enable_seqscan', setting: 'off' },
  { name: 'search_path', setting: '' },
  { name: 'statement_timeout', setting: '15000' },
  { name: 'synchronous_commit', setting: 'on' },
];
const PREPARED = statement('pooler_prepared', 'select name from pg_prepared_statements');
const PLUS_ONE = statement('pooler_plus_one', 'select $1::int + 1 as sum');

describeWith('pgbouncer', 'PostgreSQL behind PgBouncer in transaction mode', (program) => {
  let server: PostgresDatabase;
  let bouncer: PgBouncer;
  /** Both environments share one server connection. */
  const databases: Database[] = [];

  beforeAll(async () => {
    server = await createPostgresDatabase({ migrated: true });
    const role = decodeURIComponent(new URL(server.adminUrl).username);
    const name = new URL(server.adminUrl).pathname.slice(1);
    const client = new pg.Client({ connectionString: server.adminUrl });
    await client.connect();
    await client.query(`alter role "${role}" in database ${name} reset all`);
    await client.query(`alter database ${name} set synchronous_commit = off`);
    await client.end();
    bouncer = await startPgBouncer(program, server.adminUrl, { poolSize: 1 });
    for (const schema of ['dateline_production', 'dateline_sandbox'])
      databases.push(
        openPostgres({ schema, url: bouncer.through(server.adminUrl), poolMax: 8, onError() {} }),
      );
  });
  afterAll(async () => {
    for (const database of databases) await database.close();
    await bouncer?.stop();
    await server?.drop();
  });

  const [production, sandbox] = [() => databases[0] as Database, () => databases[1] as Database];

  /** What a connection of somebody else finds on the one server connection. */
  async function foundByOthers(sql: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: bouncer.through(server.adminUrl) });
    await client.connect();
    const { rows } = await client.query(sql);
    await client.end();
    return rows;
  }

  it('is found out with the first connection, and not where connections lead to the server', async () => {
    await production().ping();
    const straight = openPostgres({
      schema: 'dateline_sandbox',
      url: server.adminUrl,
      poolMax: 1,
      onError() {},
    });
    await straight.ping();
    expect([production().isBehindPooler(), straight.isBehindPooler()]).toEqual([true, false]);
    await straight.close();
  });

  it('has the settings of Dateline in every statement, transaction and refused transaction', async () => {
    expect(await production().run(SETTINGS, [])).toEqual(OURS);
    expect(await sandbox().transaction((session) => session.run(SETTINGS, []))).toEqual(OURS);
    expect(await production().migration((session) => session.run(SETTINGS, []))).toEqual(
      OURS.map(({ name, setting }) => ({
        name,
        setting: { enable_seqscan: 'on', statement_timeout: '0' }[name] ?? setting,
      })),
    );
  });

  it('leaves no setting and no prepared statement to others', async () => {
    const before = await foundByOthers(SETTINGS.text);
    expect(before).not.toEqual(OURS);
    for (const database of [production(), sandbox()]) {
      await database.run(PLUS_ONE, [1]);
      await database.transaction((session) => session.run(PLUS_ONE, [1]));
      await database.transaction(() => Promise.reject(new Error('refused'))).catch(() => {});
      await database.confirm();
      await database.migration((session) => session.run(PLUS_ONE, [1]));
      await database.listen('pooler', () => {});
    }
    expect(await foundByOthers(SETTINGS.text)).toEqual(before);
    expect(await foundByOthers(PREPARED.text)).toEqual([]);
    expect(await foundByOthers('select pg_listening_channels()')).toEqual([]);
  });

  it('runs one statement of both environments on one server connection', async () => {
    const sums = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        (index % 2 === 0 ? production() : sandbox()).run(PLUS_ONE, [index]),
      ),
    );
    expect(sums).toEqual(Array.from({ length: 200 }, (_, index) => [{ sum: index + 1 }]));
  });

  it('ends a statement on the server when its time is over', async () => {
    const short = openPostgres({
      schema: 'dateline_sandbox',
      url: bouncer.through(server.adminUrl),
      poolMax: 1,
      statementMs: 50,
      onError() {},
    });
    await expect(short.run(statement('pooler_sleep', 'select pg_sleep(60)'), [])).rejects.toThrow(
      /statement timeout/,
    );
    await short.close();
  });
});
