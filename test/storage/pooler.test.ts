import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrations } from '../../src/compose/migrations.ts';
import type { Database } from '../../src/storage/database.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { databaseOpener } from '../../src/storage/open-database.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import { statement } from '../../src/storage/statement.ts';
import { StandbyError } from '../../src/storage/storage-error.ts';
import { newProduct } from '../support/contracts/products.ts';
import { databasesAt } from '../support/database/databases.ts';
import { type PgBouncer, startPgBouncer } from '../support/database/pgbouncer.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../support/database/postgres-database.ts';
import { freePort } from '../support/database/postgres-server.ts';
import { oauthCalls } from '../support/oauth/oauth-calls.ts';
import { describeWith } from '../support/run/needs.ts';
import { next } from '../support/service/build-versions.ts';
import { type RunningTestService, startTestServiceOn } from '../support/service/test-service.ts';
import { startReceiver } from '../support/webhooks/receivers.ts';

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
const BACKEND = statement('pooler_backend', 'select pg_backend_pid() as pid');
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

  it('refuses a standby that it leads to since, in every statement and transaction', async () => {
    await foundByOthers(`alter function pg_catalog.pg_is_in_recovery() rename to really_in_recovery;
      create function pg_catalog.pg_is_in_recovery() returns boolean language sql as 'select true'`);
    await expect(production().run(PLUS_ONE, [1])).rejects.toBeInstanceOf(StandbyError);
    await expect(sandbox().transaction((session) => session.run(PLUS_ONE, [1]))).rejects.toBeInstanceOf(
      StandbyError,
    );
    await foundByOthers(`drop function pg_catalog.pg_is_in_recovery();
      alter function pg_catalog.really_in_recovery() rename to pg_is_in_recovery`);
    expect(await production().run(PLUS_ONE, [1])).toEqual([{ sum: 2 }]);
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

describeWith('pgbouncer', 'a service whose two environments share one connection of PgBouncer', (program) => {
  let server: PostgresDatabase;
  let bouncer: PgBouncer;
  let service: RunningTestService;
  beforeAll(async () => {
    server = await createPostgresDatabase({ migrated: false });
    bouncer = await startPgBouncer(program, server.adminUrl, { poolSize: 1 });
    const databases = databasesAt(bouncer.through(server.adminUrl));
    service = await startTestServiceOn(databases, { DATELINE_DELIVER: 'on' });
  });
  afterAll(async () => {
    await service?.stop();
    await bouncer?.stop();
    await server?.drop();
  });

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    service.call('sandbox', path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.quickstart.sandbox.access_token}`,
        'content-type': 'application/json',
        'service-version': next,
        ...headers,
      },
      body: JSON.stringify(body),
    });

  it('migrates through it, and says in one line that a pooler is in front and signals are off', () => {
    const lines = service.logLines.filter((line) => line.includes('leads to a pooler'));
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ prepared_statements: 'off', signals: 'off' }),
    ]);
  });

  it('sees a revocation at once, also among many look-ups', async () => {
    const { token, revoke, isActive } = oauthCalls(service);
    for (let round = 0; round < 2; round += 1) {
      const { body } = await token({ grant_type: 'client_credentials' });
      const before = await Promise.all(Array.from({ length: 50 }, () => isActive(body.access_token)));
      expect(before).not.toContain(false);
      expect((await revoke({ token: body.access_token })).status).toBe(200);
      const after = await Promise.all(Array.from({ length: 50 }, () => isActive(body.access_token)));
      expect(after).not.toContain(true);
    }
  });

  it('does once what the same Idempotency-Key asks ten times at once, and delivers its webhook', async () => {
    const receiver = await startReceiver();
    const url = `http://localhost:${receiver.port}/hook`;
    expect((await post('/v1/webhooks/endpoints', { url, events: ['product.created'] })).status).toBe(201);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post('/v1/products/', newProduct, { 'idempotency-key': 'once' })),
    );
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    expect([answers[0]?.status, new Set(bodies).size]).toEqual([201, 1]);
    await expect.poll(() => receiver.requests.length).toBe(1);
    expect(JSON.parse(String(receiver.requests[0]?.body)).data.id).toBe(JSON.parse(bodies[0] ?? '').id);
  });

  it('gives one of many that want the same lock its turn after the other', async () => {
    const sandbox = await service.database('sandbox');
    const production = await service.database('production');
    let inside = 0;
    const most = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? sandbox : production).transaction(async (session) => {
          await session.lock('pooler');
          inside += 1;
          const seen = inside;
          await session.run(PLUS_ONE, [index]);
          inside -= 1;
          return seen;
        }),
      ),
    );
    expect(most).toEqual(Array.from({ length: 20 }, () => 1));
  });

  it('has doctor leave the number of connections to the pooler', async () => {
    const answer = await service.operate('production', '/operator/doctor?before=production');
    const { items } = await answer.json();
    expect(items.find(({ check }: { check: string }) => check === 'connections')).toMatchObject({
      state: 'ok',
      message: expect.stringMatching(/^A pooler is in front, .*; the server has \d+ for this role\.$/),
    });
  });

  it('releases without signals', async () => {
    const current = async () => (await (await service.call('sandbox', '/versions')).json()).current;
    expect(await current()).not.toBe(next);
    const decision = { reason: 'a rehearsal', outside_window: true };
    const answer = await service.operate('sandbox', '/operator/release/run', {
      method: 'POST',
      body: decision,
    });
    expect(answer.status).toBe(202);
    service.clock.advanceSeconds(10);
    await expect.poll(current).toBe(next);
  });
});

describeWith('pgbouncer', 'DATABASE_DIRECT_URL', (program) => {
  let server: PostgresDatabase;
  let bouncer: PgBouncer;
  beforeAll(async () => {
    server = await createPostgresDatabase({ migrated: true });
    bouncer = await startPgBouncer(program, server.adminUrl, { poolSize: 1 });
  });
  afterAll(async () => {
    await bouncer?.stop();
    await server?.drop();
  });

  const opener = (directUrl: string) =>
    databaseOpener({
      databaseUrl: bouncer.through(server.adminUrl),
      directUrl,
      dataDir: '.',
      poolMax: 2,
      onError() {},
    });

  it('carries signals and migrations past the pooler', async () => {
    const database = await opener(server.adminUrl)('sandbox');
    const heard: string[] = [];
    await database.listen('direct', (payload) => heard.push(payload));
    await database.notify('direct', 'hello');
    await expect.poll(() => heard).toEqual(['hello']);
    // The pool has one connection, which this transaction holds.
    const pids = await database.transaction(async (session) => [
      await session.run(BACKEND, []),
      await database.migration((direct) => direct.run(BACKEND, [])),
    ]);
    expect(pids[0]).not.toEqual(pids[1]);
    await database.close();
  });

  it('is refused where it leads to a pooler too, or to nothing', async () => {
    const toPooler = bouncer.through(server.adminUrl);
    await expect(opener(toPooler)('sandbox')).rejects.toThrow(
      /^DATABASE_DIRECT_URL: 127\.0\.0\.1:\d+\/\w+ leads to a pooler; name the PostgreSQL server itself\.$/,
    );
    const nowhere = `postgres://me:hunter2@127.0.0.1:${await freePort()}/tokens`;
    await expect(opener(nowhere)('sandbox')).rejects.toThrow(
      /^DATABASE_DIRECT_URL: no database answers at 127\.0\.0\.1:\d+\/tokens/,
    );
  });

  it('is refused where migrations end up in another database', async () => {
    const empty = await createPostgresDatabase({ migrated: false });
    const through = bouncer.through(empty.adminUrl);
    const database = await databaseOpener({
      databaseUrl: through,
      directUrl: server.adminUrl,
      dataDir: '.',
      poolMax: 1,
      onError() {},
    })('sandbox');
    await expect(migrate(database, migrations)).rejects.toThrow(
      /^DATABASE_DIRECT_URL leads to another database than DATABASE_URL: the schema dateline_sandbox/,
    );
    await database.close();
    await empty.drop();
  });
});
