import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/database/postgres-server.ts';
import { answered } from '../support/run/answered.ts';
import { printFigures } from '../support/run/print-figures.ts';
import { runDateline, type SpawnedDateline, spawnDateline } from '../support/service/spawn-dateline.ts';

// The server's own programs, as Debian installs them (postgresql-15): the server that npm brings has neither pg_dump nor pg_basebackup.
const PROGRAMS = existsSync('/usr/lib/postgresql')
  ? readdirSync('/usr/lib/postgresql').map((version) => `/usr/lib/postgresql/${version}/bin`)
  : [];
const bin = PROGRAMS.find(
  (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_basebackup')),
);
if (bin === undefined) printFigures('The restores on PostgreSQL are skipped: install postgresql.');

const guide = readFileSync('docs/backup.md', 'utf8');

/** The block of the guide that has this text in it. */
function blockWith(text: string): string {
  const blocks = [...guide.matchAll(/^```(?:sh|conf)\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const found = blocks.filter((block) => block.includes(text));
  expect([text, found.length]).toEqual([text, 1]);
  return found[0] ?? '';
}

/** Its words, with other addresses and folders. */
function substituted(text: string, places: Readonly<Record<string, string>>): string {
  return Object.entries(places).reduce((words, [from, to]) => words.replaceAll(from, to), text);
}

interface Access {
  token: string;
  client_id: string;
  client_secret: string;
}

const folders: string[] = [];
const nodes: SpawnedDateline[] = [];
const isRoot = process.getuid?.() === 0;

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-restore-'));
  folders.push(folder);
  return folder;
}

afterAll(async () => {
  for (const { child, exit } of nodes) {
    child.kill('SIGKILL');
    await exit;
  }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function start(settings: Record<string, string>) {
  const node = spawnDateline(['serve'], { env: { ...settings, DATELINE_LOG_LEVEL: 'warn' } });
  nodes.push(node);
  const urls = await node.ready();
  return { ...urls, node };
}

async function stop({ child, exit }: SpawnedDateline): Promise<void> {
  child.kill('SIGTERM');
  await exit;
}

const sandboxIn = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'quickstart.json'), 'utf8')).sandbox;

async function post(url: string, path: string, form: Record<string, string>) {
  const response = await fetch(`${url}/v1/oauth2/${path}`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  return answered(
    { status: response.status, body: (await response.json()) as Record<string, unknown> },
    `POST ${path}`,
  );
}

async function issue(url: string, folder: string): Promise<Access> {
  const { client_id, client_secret } = sandboxIn(folder);
  const { body } = await post(url, 'token', { grant_type: 'client_credentials', client_id, client_secret });
  return { client_id, client_secret, token: String(body.access_token) };
}

const isActive = async (url: string, access: Access): Promise<boolean> =>
  (await post(url, 'introspect', { ...access, token_type: 'access_token' })).body.active === true;
const revoke = (url: string, access: Access) =>
  post(url, 'revoke', { ...access, token_type: 'access_token' });

type Row = Readonly<Record<'kind' | 'outcome', string> & Record<'production' | 'sandbox', number>>;

/** Ends the access, once no node counts as live any more. */
async function endLostAccess(lostFrom: string, settings: Record<string, string>): Promise<readonly Row[]> {
  const run = (...more: string[]) =>
    runDateline(['restore', '--lost-from', lostFrom, '--json', ...more], { env: settings });
  await expect
    .poll(async () => (await run('--dry-run')).stderr, { timeout: 60_000 })
    .not.toContain('stop all nodes first');
  const counted: Row[] = JSON.parse((await run('--dry-run')).stdout);
  const ended: Row[] = JSON.parse((await run('--yes')).stdout);
  const counts = (rows: readonly Row[]) =>
    rows.map(({ kind, production, sandbox }) => [kind, production, sandbox]);
  expect(counts(ended)).toEqual(counts(counted));
  expect((await run('--yes')).stderr).toContain('sandbox: this was done before; nothing was left to end.');
  return ended;
}

function printTable(what: string, rows: readonly Row[]): void {
  const lines = rows.map(
    ({ kind, outcome, production, sandbox }) => `| ${kind} | ${outcome} | ${production} | ${sandbox} |`,
  );
  printFigures(
    [`${what}:`, '| kind | outcome | production | sandbox |', '|---|---|---|---|', ...lines].join('\n'),
  );
}

async function backupsFinding(settings: Record<string, string>): Promise<string> {
  const { stdout } = await runDateline(['doctor', '--json'], { env: settings });
  const rows: { check: string; state: string }[] = JSON.parse(stdout);
  return rows.find(({ check }) => check === 'backups')?.state ?? 'none';
}

describe('the embedded database', () => {
  it('comes back from a backup that was made while it ran, and what was revoked since is ended', async () => {
    const folder = newFolder();
    const settings = { DATELINE_DATA_DIR: folder };
    const running = await start(settings);
    const access = await issue(running.sandbox, folder);
    const file = join(newFolder(), 'dateline.backup');
    const [backup, restore] = [blockWith('dateline backup'), blockWith('dateline restore /backups')].map(
      (block) => substituted(block, { 'dateline ': '', '/backups/dateline.backup': file }).trim().split(' '),
    );
    const env = {
      ...settings,
      DATELINE_PUBLIC_URL: running.production,
      DATELINE_SANDBOX_PUBLIC_URL: running.sandbox,
    };
    expect(await runDateline(backup ?? [], { env })).toMatchObject({ code: 0 });
    expect((await revoke(running.sandbox, access)).status).toBe(200);
    expect((await runDateline(restore ?? [], { env: settings })).stderr).toContain('is in use by process');
    running.node.child.kill('SIGKILL');
    await running.node.exit;
    const restored = await runDateline([...(restore ?? []), '--force', '--json'], { env: settings });
    const lostFrom: string = JSON.parse(restored.stdout).made_at;
    const rows = await endLostAccess(lostFrom, settings);
    printTable('Ended in the embedded database', rows);
    expect(rows.find(({ kind }) => kind === 'tokens')?.sandbox).toBeGreaterThan(2);
    const again = await start(settings);
    expect(await isActive(again.sandbox, access)).toBe(false);
    expect(await isActive(again.sandbox, await issue(again.sandbox, folder))).toBe(true);
    const doctor = {
      ...settings,
      DATELINE_PUBLIC_URL: again.production,
      DATELINE_SANDBOX_PUBLIC_URL: again.sandbox,
    };
    // A warning that it is embedded, and no problem.
    expect(await backupsFinding(doctor)).toBe('warning');
    await stop(again.node);
  });
});

describe.skipIf(bin === undefined)('a PostgreSQL server', () => {
  const home = newFolder();
  const [archive, backups] = [join(home, 'archive'), join(home, 'backups')];
  let port: number;
  let url: string;
  let dataDir: string;

  /** As a user who may run a server, which root may not. */
  function shell(command: string): string {
    const as = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : [];
    const [program = '', ...args] = [...as, 'sh', '-e', '-c', command];
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: home,
      encoding: 'utf8',
      env: { PATH: `${bin}:${process.env.PATH}`, DATABASE_URL: url ?? '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect([command, status, stderr]).toEqual([command, 0, expect.any(String)]);
    return stdout;
  }

  const serverOptions = (at: number) =>
    `-o '-p ${at} -k ${home} -c listen_addresses=127.0.0.1' -l ${home}/${at}.log`;
  const places = () => ({ '/archive': archive, '/backups': backups });
  const sql = (at: string, text: string): string => shell(`psql -X -A -t -d '${at}' -c "${text}"`).trim();

  beforeAll(async () => {
    chmodSync(home, 0o777);
    port = await freePort();
    for (const folder of [archive, backups]) {
      mkdirSync(folder);
      chmodSync(folder, 0o777);
    }
    shell(`initdb -D ${home}/main -A trust -U postgres`);
    writeFileSync(join(home, 'archiving.conf'), substituted(blockWith('archive_mode'), places()));
    shell(`cat ${home}/archiving.conf >> ${home}/main/postgresql.conf`);
    shell(`pg_ctl -D ${home}/main ${serverOptions(port)} -w start`);
    url = `postgres://postgres@127.0.0.1:${port}/dateline`;
    sql(`postgres://postgres@127.0.0.1:${port}/postgres`, 'create database dateline');
    dataDir = newFolder();
  });
  afterAll(() => {
    for (const name of ['main', 'restored'])
      if (existsSync(join(home, name, 'postmaster.pid')))
        shell(`pg_ctl -D ${home}/${name} -m immediate stop`);
  });

  it('comes back from a dump, table by table, and what was revoked since is ended', async () => {
    const running = await start({ DATABASE_URL: url, DATELINE_DATA_DIR: dataDir });
    const access = await issue(running.sandbox, dataDir);
    const dumpedAt = new Date().toISOString();
    shell(substituted(blockWith('pg_dump'), places()));
    expect((await revoke(running.sandbox, access)).status).toBe(200);
    await stop(running.node);
    const restoredUrl = `postgres://postgres@127.0.0.1:${port}/from_dump`;
    sql(url, 'create database from_dump');
    shell(`export RESTORED_URL='${restoredUrl}'\n${substituted(blockWith('pg_restore'), places())}`);
    const settings = { DATABASE_URL: restoredUrl, DATELINE_DATA_DIR: dataDir };
    const rows = await endLostAccess(dumpedAt, settings);
    printTable('Ended after pg_restore', rows);
    const again = await start(settings);
    expect(await isActive(again.sandbox, access)).toBe(false);
    expect(await isActive(again.sandbox, await issue(again.sandbox, dataDir))).toBe(true);
    await stop(again.node);
  });

  it('comes back as it was at a moment, from a base backup and archived WAL, and what was revoked since is ended', async () => {
    const running = await start({ DATABASE_URL: url, DATELINE_DATA_DIR: dataDir });
    const before = await issue(running.sandbox, dataDir);
    shell(substituted(blockWith('pg_basebackup'), places()));
    const meanwhile = await issue(running.sandbox, dataDir);
    const moment = sql(url, 'select clock_timestamp()');
    const after = await issue(running.sandbox, dataDir);
    for (const access of [before, meanwhile])
      expect((await revoke(running.sandbox, access)).status).toBe(200);
    await stop(running.node);
    sql(url, 'select pg_switch_wal()');
    await expect.poll(() => sql(url, 'select archived_count from pg_stat_archiver')).not.toBe('0');
    shell(`pg_ctl -D ${home}/main -m fast stop`);
    shell(`cp ${home}/main/pg_wal/0* ${archive}/ 2>/dev/null || true`);
    const commands = substituted(blockWith('recovery.signal'), {
      ...places(),
      '/restored': join(home, 'restored'),
      '2027-01-06 17:00:00+00': moment,
      'pg_ctl ': `pg_ctl ${serverOptions(port)} `,
    });
    shell(commands);
    await expect.poll(() => sql(url, 'select pg_is_in_recovery()')).toBe('f');
    const settings = { DATABASE_URL: url, DATELINE_DATA_DIR: dataDir };
    const table = (name: string) => sql(url, `select count(*) from dateline_sandbox.${name}`);
    const cameBack = ['oauth_clients', 'oauth_grants', 'oauth_tokens', 'users', 'audit_log'].map((name) => [
      name,
      table(name),
    ]);
    const rows = await endLostAccess(new Date(moment).toISOString(), settings);
    printTable(
      `Ended after a restore to a point in time (came back in the sandbox: ${cameBack.map((one) => one.join(' ')).join(', ')})`,
      rows,
    );
    const again = await start(settings);
    const looks = [before, meanwhile, after].map((access) => isActive(again.sandbox, access));
    expect(await Promise.all(looks)).toEqual([false, false, false]);
    expect(await isActive(again.sandbox, await issue(again.sandbox, dataDir))).toBe(true);
    await stop(again.node);
  });
});
