import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import type { Finding } from '../../src/doctor/finding.ts';
import { disk, runtime } from '../../src/doctor/production/examine-machine.ts';
import { databaseTls, durability, serverVersion } from '../../src/doctor/production/examine-server.ts';
import {
  logLevel,
  operatorPort,
  proxies,
  publicAddress,
  retention,
  secretKey,
} from '../../src/doctor/production/examine-settings.ts';
import { readServerSettings } from '../../src/doctor/production/store.ts';
import { statement } from '../../src/storage/statement.ts';
import { databasesAt } from '../support/database/databases.ts';
import {
  type DedicatedPostgresServer,
  startDedicatedPostgresServer,
} from '../support/database/postgres-server.ts';
import { operatorSettings, runCommandLine } from '../support/service/command-line.ts';
import {
  type RunningTestService,
  startTestService,
  startTestServiceOn,
  type TestService,
} from '../support/service/test-service.ts';

type Row = Pick<Finding, 'check' | 'state' | 'message'>;

const folder = mkdtempSync(join(tmpdir(), 'dateline-production-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function doctor(
  env: Record<string, string>,
  ...args: string[]
): Promise<{ code: number; rows: Row[] }> {
  const { code, out } = await runCommandLine(['doctor', '--production', '--json', ...args], env);
  return { code, rows: JSON.parse(out) };
}
const found = (rows: readonly Row[], check: string) => rows.find((row) => row.check === check);
/** The command line of a service finds it here, whatever its issuer is. */
const reached = (service: TestService) => {
  const { DATELINE_OPERATOR_KEY = '', DATELINE_SANDBOX_OPERATOR_KEY = '' } = operatorSettings(service);
  return { DATELINE_OPERATOR_KEY, DATELINE_SANDBOX_OPERATOR_KEY };
};

/** Of a service that was started on a machine, without a thought. */
describe('dateline doctor --production, of what npm start starts', () => {
  let service: RunningTestService;
  beforeAll(async () => {
    service = await startTestService('PGlite');
  });
  afterAll(() => service?.stop());

  it('looks at production unless the sandbox is named, and ends with 1 where anything is a problem', async () => {
    const production = await doctor(operatorSettings(service));
    expect(found(production.rows, 'service')?.message).toContain(
      `production answers at ${service.urls.production}`,
    );
    expect(production.code).toBe(1);
    const sandbox = await doctor(operatorSettings(service), '--environment', 'sandbox');
    expect(found(sandbox.rows, 'service')?.message).toContain(`sandbox answers at ${service.urls.sandbox}`);
    expect(sandbox.rows.map(({ check }) => check)).toEqual(production.rows.map(({ check }) => check));
  });

  it('leaves the plain doctor as it is', async () => {
    const { out } = await runCommandLine(['doctor', '--json'], operatorSettings(service));
    expect(found(JSON.parse(out), 'addresses')).toBeDefined();
    expect(found(JSON.parse(out), 'operator-port')).toBeUndefined();
  });

  it.each([
    ['secret-key', 'warning', /^The secret key was made in .*secret\.key, .* Set DATELINE_SECRET_KEY to/],
    [
      'operator-keys',
      'problem',
      /^The key of the first start, opk_\w+, is still accepted, .*"dateline operator-key revoke opk_/,
    ],
    ['public-address', 'problem', /is this machine; set DATELINE_PUBLIC_URL to the https address/],
    ['operator-port', 'problem', /set DATELINE_OPERATOR_PORT to a port/],
    [
      'proxies',
      'warning',
      /^DATELINE_TRUSTED_PROXIES is not set: .*; set it to the addresses of the proxy\.$/,
    ],
    ['server', 'warning', /^The embedded database is one process .* Use PostgreSQL \(DATABASE_URL\)\.$/],
    ['deliveries', 'warning', /; start "dateline worker", or serve with DATELINE_DELIVER=on\.$/],
    ['backups', 'warning', /^The embedded database is not flushed to the disk; run "dateline backup"/],
    ['log-level', 'ok', /^Each request leaves a line in the log\.$/],
    ['retention', 'ok', /^Webhook payloads are kept 90 days; a grant lives 90 days at most\.$/],
    ['secret-files', 'ok', /^Other users of this machine cannot read the files with secrets\.$/],
    ['disk', 'ok', /^\d+ MiB are left for the data folder/],
    ['clock', 'ok', /agree about the time/],
  ])('finds %s: %s', async (check, state, message) => {
    const { rows } = await doctor(operatorSettings(service));
    expect(found(rows, check)).toEqual({ check, state, message: expect.stringMatching(message) });
  });

  it('finds keys of operators: a problem until that of the first start is revoked, then whether all may do everything', async () => {
    const settings = reached(service);
    const url = ['--url', service.urls.production];
    const run = async (key: string, ...args: string[]) => {
      const { code, out } = await runCommandLine([...args, '--environment', 'production', '--json', ...url], {
        DATELINE_OPERATOR_KEY: key,
      });
      expect(code).toBe(0);
      return JSON.parse(out);
    };
    const first = settings.DATELINE_OPERATOR_KEY;
    const { operator_key: key } = await run(first, 'operator-key', 'create', '--name', 'people');
    const keys = async () =>
      found((await doctor({ DATELINE_OPERATOR_KEY: key }, ...url)).rows, 'operator-keys');
    const [, id = ''] = /"dateline operator-key revoke (\w+)"/.exec((await keys())?.message ?? '') ?? [];
    await run(key, 'operator-key', 'revoke', id);
    expect(await keys()).toMatchObject({
      state: 'ok',
      message: '1 stored key is live, 1 of them with the role admin.',
    });
    const { id: second } = await run(key, 'operator-key', 'create', '--name', 'dashboard');
    expect(await keys()).toMatchObject({
      state: 'warning',
      message: expect.stringMatching(/^All 2 live keys have the role admin; give .*--role viewer"\)\.$/),
    });
    await run(key, 'operator-key', 'revoke', second);
    await run(key, 'operator-key', 'create', '--name', 'dashboard', '--role', 'viewer');
    expect(await keys()).toMatchObject({ state: 'ok', message: expect.stringMatching(/^2 stored keys/) });
  });
});

function secretFile(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, 0o440);
  return path;
}

/** Of what a test cannot make bad for real, or only by another start. */
describe('a finding before production', () => {
  const AT = new Date('2026-11-18T00:00:00Z');
  const mib = (free: number) => ({ bavail: free, bsize: 1024 ** 2 });
  const server = { databaseUrl: 'postgres://db/x', dataDir: '/data' };
  const embedded = { databaseUrl: null, dataDir: '/data' };
  const tlsOf = (databaseUrl: string, ...databaseReadUrls: string[]) =>
    databaseTls({ databaseUrl, databaseReadUrls });
  const tls = (parameters: string) => tlsOf(`postgres://me:hunter2@db.example.com/x${parameters}`);
  const issuer = (url: string) => publicAddress({ name: 'production', issuer: url });
  const settings = (env: Record<string, string>) => loadConfig(env);

  it.each([
    ['ok', () => runtime('v24.11.0', AT), /^Node v24\.11\.0 gets fixes until 2028-04-30\.$/],
    ['warning', () => runtime('v20.20.2', AT), /^Node 20 gets no fixes since 2026-04-30; use a newer/],
    ['warning', () => runtime('v25.1.0', AT), /^Node 25 is not a long-term version .*; use Node 24\.$/],
    ['ok', () => serverVersion('17.6 (Debian 17.6-1)', AT), /It gets fixes until 2029-11-08\.$/],
    ['ok', () => serverVersion('19.1', AT), /^The server is PostgreSQL 19\.1\.$/],
    [
      'warning',
      () => serverVersion('15.4', new Date('2027-11-11')),
      /^PostgreSQL 15 gets no fixes since 2027-11-11; upgrade/,
    ],
    [
      'problem',
      () => serverVersion('14.19', AT),
      /is older than Dateline supports; upgrade it to 15 or later\.$/,
    ],
    [
      'ok',
      () => disk(mib(500), server),
      /^500 MiB are left for the data folder \/data\. The disk of the database/,
    ],
    ['warning', () => disk(mib(499), server), /^499 MiB are left .*; free some space/],
    ['problem', () => disk(mib(49), server), /^49 MiB are left/],
    ['ok', () => disk(mib(5_000), embedded), /^5000 MiB are left for the data folder \/data\.$/],
    ['warning', () => disk(mib(4_999), embedded), /; free some space/],
    ['problem', () => disk(mib(499), embedded), /; free some space/],
    [
      'problem',
      () => tls(''),
      /^Nothing encrypts what is sent to the database at db\.example\.com; add sslmode=verify-full/,
    ],
    ['problem', () => tls('?sslmode=disable'), /add sslmode=verify-full to DATABASE_URL\.$/],
    ['warning', () => tls('?sslmode=require'), /does not verify the certificate of the database/],
    [
      'warning',
      () => tls('?sslmode=verify-ca&sslrootcert=/ca.pem'),
      /does not verify the host name in the certificate/,
    ],
    ['ok', () => tls('?sslmode=verify-full'), /is encrypted, and its certificate is verified\.$/],
    ['ok', () => tlsOf('postgres://db/x?host=/run/postgresql'), /is on this machine/],
    [
      'problem',
      () => tlsOf('postgres://localhost/x', 'postgres://me:hunter2@standby.example.com/x'),
      /to the database at standby\.example\.com; add sslmode=verify-full to DATABASE_READ_URLS/,
    ],
    ['problem', () => tlsOf('postgres://localhost/x?host=10.0.0.5'), /to the database at 10\.0\.0\.5/],
    [
      'problem',
      () => issuer('http://api.example.com'),
      /is not https: .*; put a proxy with TLS in front, and set DATELINE_PUBLIC_URL/,
    ],
    ['problem', () => issuer('https://localhost:4000'), /is this machine/],
    ['ok', () => issuer('https://api.example.com'), /^The issuer is/],
    [
      'problem',
      () => proxies(settings({ DATELINE_TRUSTED_PROXIES: '10.0.0.1,0.0.0.0/0' })),
      /names 0\.0\.0\.0\/0, which is everybody: .*; name the proxy alone\.$/,
    ],
    ['problem', () => proxies(settings({ DATELINE_TRUSTED_PROXIES: '::/0' })), /which is everybody/],
    ['warning', () => operatorPort('sandbox', settings({})), /set DATELINE_SANDBOX_OPERATOR_PORT to a port/],
    [
      'warning',
      () => logLevel(settings({ DATELINE_LOG_LEVEL: 'debug' })),
      /costs speed and disk; set it to info\.$/,
    ],
    [
      'warning',
      () => logLevel(settings({ DATELINE_LOG_LEVEL: 'silent' })),
      /leaves no line to find it by; set it to info\.$/,
    ],
    [
      'warning',
      () => retention(settings({ DATELINE_WEBHOOK_RETENTION_DAYS: '366' })),
      /^DATELINE_WEBHOOK_RETENTION_DAYS keeps .* 366 days; lower it/,
    ],
    [
      'warning',
      () => retention(settings({ DATELINE_ACCESS_TOKEN_SECONDS: '86400' })),
      /^DATELINE_ACCESS_TOKEN_SECONDS lets .* 24 hours; lower it/,
    ],
    [
      'warning',
      () => retention(settings({ DATELINE_REFRESH_TOKEN_ABSOLUTE_SECONDS: '63072000' })),
      /^DATELINE_REFRESH_TOKEN_ABSOLUTE_SECONDS lets .* 730 days; lower it/,
    ],
    [
      'warning',
      () => retention(settings({ DATELINE_SIGN_IN_ABSOLUTE_SECONDS: '864000' })),
      /^DATELINE_SIGN_IN_ABSOLUTE_SECONDS keeps .* 10 days; lower it/,
    ],
    [
      'warning',
      () => secretKey(settings({ DATABASE_URL: 'postgres://db/x' })),
      /other nodes need the same one: .* Set DATELINE_SECRET_KEY to what is in that file/,
    ],
  ] as const)('is a matter of facts: %s (%#)', (state, find, message) => {
    expect(find()).toMatchObject({ state, message: expect.stringMatching(message) });
    expect(find().message).not.toContain('hunter2');
  });
});

describe('dateline doctor --production, on PostgreSQL and behind a proxy', () => {
  const KEY = 'k'.repeat(40);
  const keyFile = secretFile('operator.key', `${KEY}\n`);
  let server: DedicatedPostgresServer;
  let service: RunningTestService;
  let admin: pg.Client;
  const sql = (text: string) => admin.query(text);

  beforeAll(async () => {
    server = await startDedicatedPostgresServer({ untouched: true });
    admin = new pg.Client({ connectionString: `${server.url}/postgres` });
    await admin.connect();
    await sql("create role serving login password 'hunter2'");
    await sql('create database production owner serving');
    // The server cleans up when the test says so.
    await sql("alter system set autovacuum_naptime = '1d'");
    await sql('select pg_reload_conf()');
    await admin.end();
    admin = new pg.Client({ connectionString: `${server.url}/production` });
    admin.on('error', () => {});
    await admin.connect();
    const url = server.url.replace('postgres:postgres', 'serving:hunter2');
    service = await startTestServiceOn(databasesAt(`${url}/production`), {
      DATABASE_URL_FILE: secretFile('database', `${url}/production\n`),
      DATELINE_SECRET_KEY_FILE: secretFile('secret', Buffer.alloc(32, 7).toString('base64')),
      DATELINE_OPERATOR_KEY_FILE: keyFile,
      DATELINE_PUBLIC_URL: 'https://api.example.com',
      DATELINE_OPERATOR_PORT: '0',
      DATELINE_TRUSTED_PROXIES: '10.0.0.7',
      DATELINE_DELIVER: 'on',
    });
  }, 120_000);
  afterAll(async () => {
    await service?.stop();
    await admin?.end();
    await server?.stop();
  });

  /** The line of one check, asked for with the key from a file. */
  async function line(check: string): Promise<Row | undefined> {
    const url = service.operatorUrls.production ?? '';
    const { rows } = await doctor({ DATELINE_OPERATOR_KEY_FILE: keyFile }, '--url', url);
    return found(rows, check);
  }
  const setting = async (name: string, value: string): Promise<void> => {
    await sql(`alter system set ${name} = '${value}'`);
    await sql('select pg_reload_conf()');
  };

  it.each([
    ['secret-key', /^DATELINE_SECRET_KEY is set; keep a copy/],
    ['public-address', /^The issuer is https:\/\/api\.example\.com\.$/],
    ['operator-port', /^Operators are served apart, on 127\.0\.0\.1; let only your own network/],
    ['proxies', /^Trusted proxies: 10\.0\.0\.7\.$/],
    ['secret-files', /^Other users of this machine cannot read/],
    ['deliveries', /^1 process delivers webhooks; nothing is due\.$/],
    ['backups', /^The database has everything that its nodes have stored\.$/],
    ['database', /^PostgreSQL [\d.]+.* answers in/],
    ['keys', /^Secret key \w+ is in use; keep a copy of it\./],
    ['nodes', /^No process is missing/],
    ['server', /^The server is PostgreSQL [\d.]+\. It gets fixes until \d{4}-\d\d-\d\d\.$/],
    ['database-tls', /^The database is on this machine\.$/],
    ['disk', /The disk of the database server cannot be seen from here: watch it there\.$/],
  ])('finds %s settled', async (check, message) => {
    await expect
      .poll(() => line(check))
      .toEqual({ check, state: 'ok', message: expect.stringMatching(message) });
  });

  it('finds a file with a secret that every user can read', async () => {
    chmodSync(keyFile, 0o644);
    expect(await line('secret-files')).toEqual({
      check: 'secret-files',
      state: 'warning',
      message: `Every user of this machine can use the secrets in ${keyFile}; run "chmod o= ${keyFile}", or mount it with mode 0440.`,
    });
    chmodSync(keyFile, 0o440);
    expect(await line('secret-files')).toMatchObject({ state: 'ok' });
  });

  it('finds too few connections for all pools', async () => {
    expect(await line('connections')).toMatchObject({
      state: 'ok',
      message: '1 live process may open 18 connections, and the server has 97 for their role.',
    });
    await sql('alter role serving connection limit 20');
    expect(await line('connections')).toMatchObject({
      state: 'warning',
      message: expect.stringMatching(
        /^1 live process may open 18 connections, and the server has 20 .*; lower DATELINE_DATABASE_POOL/,
      ),
    });
    await sql('alter role serving connection limit 17');
    expect(await line('connections')).toMatchObject({ state: 'problem' });
    await sql('alter role serving connection limit -1');
    // Another node, with a pool of its own size.
    await sql(`insert into dateline_production.nodes (id, name, kind, delivers, build, started_at, seen_at)
      values ('other', 'other', 'worker', true, '{"database_pool": 50}', now(), now() + interval '400 days')`);
    expect(await line('connections')).toMatchObject({
      state: 'problem',
      message: expect.stringMatching(/^2 live processes may open 120 connections, and the server has 97/),
    });
    await sql("delete from dateline_production.nodes where id = 'other'");
    expect(await line('connections')).toMatchObject({ state: 'ok' });
  });

  it('finds what the role may do beyond serving', async () => {
    await sql('alter role serving superuser');
    expect(await line('role')).toMatchObject({
      state: 'problem',
      message: expect.stringContaining('is a superuser'),
    });
    await sql('alter role serving nosuperuser createrole');
    expect(await line('role')).toMatchObject({
      state: 'warning',
      message: expect.stringMatching(
        /^The role serving has CREATEROLE and owns the tables and may create tables or schemas, which serving does not need: have one role that migrates/,
      ),
    });
    await sql('alter role serving nocreaterole');
    await sql('create role owning');
    await sql('reassign owned by serving to owning');
    expect(await line('role')).toBeUndefined();
    await sql('grant usage on schema dateline_production, dateline_sandbox to serving');
    for (const schema of ['dateline_production', 'dateline_sandbox']) {
      await sql(`grant select, insert, update, delete on all tables in schema ${schema} to serving`);
      await sql(`grant usage on all sequences in schema ${schema} to serving`);
    }
    expect(await line('role')).toEqual({
      check: 'role',
      state: 'ok',
      message: 'The role serving may read and write rows, and no more.',
    });
    await sql('grant create on schema dateline_production to serving');
    expect(await line('role')).toMatchObject({
      state: 'warning',
      message: expect.stringMatching(/^The role serving may create tables or schemas, which/),
    });
    await sql('revoke create on schema dateline_production from serving');
  });

  it('finds commits that a crash of the server would undo', async () => {
    expect(await line('durability')).toMatchObject({ state: 'ok' });
    await setting('fsync', 'off');
    await setting('full_page_writes', 'off');
    await expect
      .poll(() => line('durability'))
      .toMatchObject({
        state: 'problem',
        message: expect.stringMatching(/^fsync is off and full_page_writes is off: .*; set them to on\.$/),
      });
    await setting('fsync', 'on');
    await setting('full_page_writes', 'on');
    await expect.poll(() => line('durability')).toMatchObject({ state: 'ok' });
    // No connection of ours has it; a pooler could hand out one that does.
    const weak = await (await service.database('production')).transaction(async (session) => {
      await session.run(statement('weaken', 'set local synchronous_commit = local'), []);
      return durability(await readServerSettings(session));
    });
    expect(weak).toMatchObject({
      state: 'problem',
      message: expect.stringMatching(/^synchronous_commit is local: .*; set it to on\.$/),
    });
  });

  it('finds tables without statistics, and rows that nobody clears away', async () => {
    expect(await line('statistics')).toMatchObject({ state: 'ok' });
    await sql(`insert into dateline_production.organizations (id, name, created_at)
      select 'org_' || n, 'one', now() from generate_series(1, 10000) n`);
    await sql('select pg_stat_force_next_flush()');
    expect(await line('statistics')).toMatchObject({
      state: 'warning',
      message:
        'organizations was never analysed, so the planner guesses; run "analyze" in the database, and leave autovacuum on.',
    });
    await sql('analyze dateline_production.organizations');
    expect(await line('statistics')).toMatchObject({ state: 'ok' });

    expect(await line('vacuum')).toMatchObject({
      state: 'ok',
      message: 'Autovacuum keeps up in all tables.',
    });
    await sql("update dateline_production.organizations set name = 'two'");
    await sql('select pg_stat_force_next_flush()');
    expect(await line('vacuum')).toMatchObject({
      state: 'warning',
      message: expect.stringMatching(
        /^organizations was not vacuumed enough: \d+ rows there are dead\. End long transactions/,
      ),
    });
    await sql('vacuum dateline_production.organizations');
    expect(await line('vacuum')).toMatchObject({ state: 'ok' });
    await setting('autovacuum', 'off');
    await expect
      .poll(() => line('vacuum'))
      .toMatchObject({
        state: 'problem',
        message: expect.stringMatching(/^autovacuum is off: .*; set it to on\.$/),
      });
    await setting('autovacuum', 'on');
    await expect.poll(() => line('vacuum')).toMatchObject({ state: 'ok' });
  });

  it('advises on an archive of the write-ahead log, and finds one that fails', async () => {
    expect(await line('archiving')).toMatchObject({
      state: 'ok',
      message: expect.stringMatching(/^archive_mode is off: .* Archive the write-ahead log if/),
    });
    await sql("alter system set archive_mode = 'on'");
    await sql("alter system set archive_command = 'false'");
    await server.pause();
    await server.resume();
    admin = new pg.Client({ connectionString: `${server.url}/production` });
    await admin.connect();
    await sql('select pg_switch_wal()');
    await expect
      .poll(() => line('archiving'))
      .toMatchObject({
        state: 'problem',
        message: expect.stringMatching(
          /^The write-ahead log could not be archived, last at 20.* Correct archive_command/,
        ),
      });
    await setting('archive_command', 'true');
    await sql('create table public.more (id int)');
    await sql('select pg_switch_wal()');
    await expect
      .poll(() => line('archiving'))
      .toMatchObject({
        state: 'ok',
        message: expect.stringMatching(/^The write-ahead log is archived, last at 20/),
      });
  });
});
