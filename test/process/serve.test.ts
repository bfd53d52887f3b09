import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrations } from '../../src/compose/migrations.ts';
import { isFullMatrix } from '../support/database/databases.ts';
import { createPostgresDatabase } from '../support/database/postgres-database.ts';
import { freePort } from '../support/database/postgres-server.ts';
import { runSql } from '../support/database/shifted-database.ts';
import { itInLongRuns } from '../support/run/in-long-runs.ts';
import { next } from '../support/service/build-versions.ts';
import { runCommandLine } from '../support/service/command-line.ts';
import { runDateline, type SpawnedDateline, spawnDateline } from '../support/service/spawn-dateline.ts';

const started: SpawnedDateline[] = [];
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dateline-process-'));
});
afterEach(async () => {
  for (const { child, exit } of started.splice(0)) {
    child.kill('SIGKILL');
    await exit;
  }
  rmSync(folder, { recursive: true, force: true });
});

function serve(env: Readonly<Record<string, string>> = {}, args: readonly string[] = []): SpawnedDateline {
  const dateline = spawnDateline(['serve', ...args], { env: { DATELINE_DATA_DIR: folder, ...env } });
  started.push(dateline);
  return dateline;
}

const secretKeys = {
  old: Buffer.alloc(32, 'old').toString('base64'),
  new: Buffer.alloc(32, 'new').toString('base64'),
};

const quickstart = () => JSON.parse(readFileSync(join(folder, 'quickstart.json'), 'utf8'));

async function createOrganization(url: string, name: string): Promise<number> {
  const response = await fetch(`${url}/operator/organizations`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${quickstart().sandbox.operator_key}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name }),
  });
  return response.status;
}

async function organizationNames(url: string): Promise<string[]> {
  const response = await fetch(`${url}/operator/organizations?limit=100`, {
    headers: { authorization: `Bearer ${quickstart().sandbox.operator_key}` },
  });
  const { items } = (await response.json()) as { items: { name: string }[] };
  return items.map(({ name }) => name);
}

/** Each on a connection of its own, so that requests are spread over the workers. */
async function getOnNewConnection(url: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    get(url, { agent: false }, (response) => response.resume().on('end', resolve)).on('error', reject);
  });
}

async function statusFor(url: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(`${url}/operator/openapi.json`, { agent: false, headers: { host } }, (response) =>
      response.resume().on('end', () => resolve(response.statusCode ?? 0)),
    ).on('error', reject);
  });
}

describe('a process that operators look after', () => {
  it('[outside 24] is found by the quickstart.json of its data folder, or by --url, and logs start, build and stop as JSON', async () => {
    const { url, drop } = await createPostgresDatabase({ migrated: true });
    try {
      const node = serve({ DATABASE_URL: url });
      const { sandbox } = await node.ready();
      const byFolder = await runCommandLine(['org', 'list', '--json'], { DATELINE_DATA_DIR: folder });
      expect(byFolder).toMatchObject({ code: 0, err: '' });
      expect(JSON.parse(byFolder.out)).toMatchObject([{ name: 'Demo organization' }]);
      const key = { DATELINE_SANDBOX_OPERATOR_KEY: quickstart().sandbox.operator_key };
      const elsewhere = { ...key, DATELINE_SANDBOX_PORT: String(await freePort()) };
      const byUrl = await runCommandLine(['org', 'list', '--json', '--url', `${sandbox}/`], elsewhere);
      expect(byUrl).toMatchObject({ code: 0, out: byFolder.out });
      expect((await runCommandLine(['org', 'list'], elsewhere)).err).toContain('--url');
      expect(await runCommandLine(['org', 'list', '--url', 'nowhere'], key)).toMatchObject({ code: 2 });
      node.child.kill('SIGTERM');
      expect(await node.exit).toBe(0);
      const lines = node
        .stderr()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line));
      const logged = (msg: string) => lines.filter((line) => line.msg === msg);
      const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
      const build = { dateline: version, node: process.version, contracts: { [next]: expect.any(String) } };
      expect(logged('starting')).toMatchObject([{ role: 'serve', build }]);
      expect(logged('ready')).toMatchObject([{ urls: { sandbox } }]);
      expect([logged('stopping').length, logged('stopped').length]).toEqual([1, 1]);
    } finally {
      await drop();
    }
  });

  it('logs the stack of a bug with the names and lines of the sources, though it runs a bundle of them', async () => {
    const { url, adminUrl, drop } = await createPostgresDatabase({ migrated: true });
    try {
      const node = serve({ DATABASE_URL: url });
      const { sandbox } = await node.ready();
      await runSql(adminUrl, 'alter table dateline_sandbox.products rename to broken');
      const { access_token: token } = quickstart().sandbox;
      const response = await fetch(`${sandbox}/v1/products/`, {
        headers: { authorization: `Bearer ${token}`, 'service-version': next },
      });
      expect(response.status).toBe(500);
      await expect.poll(() => node.stderr()).toMatch(/src\/products\/[\w-]+\.ts:\d+:\d+/);
    } finally {
      await drop();
    }
  });
});

describe('a process on the embedded database', () => {
  itInLongRuns(
    'killed while it creates its database leaves nothing half-done: the next one starts',
    async () => {
      const killed = serve();
      const unfinished = join(folder, 'database.unfinished');
      await expect.poll(() => existsSync(join(unfinished, 'base')), { interval: 5 }).toBe(true);
      killed.child.kill('SIGKILL');
      await killed.exit;
      expect(existsSync(join(folder, 'database'))).toBe(false);
      writeFileSync(join(unfinished, 'rest'), 'of the one that was killed');
      await serve().ready();
      expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([]);
      expect(existsSync(join(folder, 'database', 'rest'))).toBe(false);
    },
  );

  it('does not touch other files at the path of its database', async () => {
    const note = join(folder, 'database', 'note.txt');
    mkdirSync(join(folder, 'database'));
    writeFileSync(note, 'mine');
    const { code, stderr } = await runDateline(['serve'], { env: { DATELINE_DATA_DIR: folder } });
    expect(code).toBe(1);
    expect(stderr).toContain(`The embedded database in ${join(folder, 'database')} cannot be opened`);
    expect(readFileSync(note, 'utf8')).toBe('mine');
  });

  it('starts from nothing, refuses a second process, survives kill -9 and restarts with the same keys', async () => {
    const first = serve();
    const urls = await first.ready();
    for (const url of [urls.production, urls.sandbox])
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(statSync(join(folder, 'quickstart.json')).mode & 0o777).toBe(0o600);
    const keys = quickstart();
    for (const secret of [
      keys.production.operator_key,
      keys.sandbox.client_secret,
      keys.sandbox.access_token,
    ]) {
      expect(first.stdout() + first.stderr()).not.toContain(secret);
    }

    const second = await runDateline(['serve'], { env: { DATELINE_DATA_DIR: folder } });
    expect(second.code).toBe(1);
    expect(second.stderr).toBe(
      `dateline: The data folder ${folder} is in use by process ${first.child.pid}; stop that process, or set DATELINE_DATA_DIR to another folder.\n`,
    );

    for (let index = 0; index < 20; index += 1)
      expect(await createOrganization(urls.sandbox, `Kept ${index}`)).toBe(201);
    first.child.kill('SIGKILL');
    await first.exit;
    const third = serve();
    const again = await third.ready();
    const names = await organizationNames(again.sandbox);
    for (let index = 0; index < 20; index += 1) expect(names).toContain(`Kept ${index}`);
    expect(quickstart().production.operator_key).toBe(keys.production.operator_key);
    expect(quickstart().sandbox.client_secret).toBe(keys.sandbox.client_secret);
    expect(quickstart().sandbox.access_token).not.toBe(keys.sandbox.access_token);

    third.child.kill('SIGTERM');
    expect(await third.exit).toBe(0);
    expect(existsSync(join(folder, 'lock'))).toBe(false);
  });
});

describe('Ctrl-C', () => {
  itInLongRuns(
    'stops gracefully although the signal comes twice, from the terminal and from npm',
    async () => {
      const service = serve();
      await service.ready();
      service.child.kill('SIGINT');
      service.child.kill('SIGINT');
      expect(await service.exit).toBe(0);
      expect(existsSync(join(folder, 'lock'))).toBe(false);
    },
  );
});

describe('bad input at the start', () => {
  const refused = async (env: Readonly<Record<string, string>>): Promise<string> => {
    const { code, out, err } = await runCommandLine(['serve', '--wait', '0'], {
      DATELINE_PORT: '0',
      DATELINE_SANDBOX_PORT: '0',
      DATELINE_DATA_DIR: join(folder, 'data'),
      ...env,
    });
    expect([code, out]).toEqual([1, '']);
    return err;
  };
  const nothingWritten = () => expect(existsSync(join(folder, 'data'))).toBe(false);

  it('ends the process with one sentence, without a stack', async () => {
    const { code, stdout, stderr } = await runDateline(['serve'], { env: { DATELINE_PROT: '1' } });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^dateline: DATELINE_PROT is not a setting of Dateline.*\n$/);
  });

  it('names a port that is in use, and writes nothing', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    expect(await refused({ DATELINE_SANDBOX_PORT: String(port) })).toBe(
      `dateline: Port ${port} is in use by another program; stop that program, or set DATELINE_SANDBOX_PORT to a free port.\n`,
    );
    nothingWritten();
    other.close();
  });

  it('names a database that does not answer, and leaves no folder behind', async () => {
    const stderr = await refused({ DATABASE_URL: `postgres://me:hunter2@127.0.0.1:${await freePort()}/x` });
    expect(stderr).toMatch(
      /dateline: DATABASE_URL: no database answers at 127\.0\.0\.1:\d+\/x \(.*\); start the server there/,
    );
    expect(stderr).not.toContain('hunter2');
    nothingWritten();
  });

  it('names a data folder that cannot be written', async () => {
    writeFileSync(join(folder, 'data'), 'a file, not a folder');
    expect(await refused({})).toMatch(
      /dateline: DATELINE_DATA_DIR: the folder .*\/data cannot be written \(\w+\); give this user write access/,
    );
  });

  it.runIf(process.platform === 'linux')(
    'names a data folder that no user can write to, not even root',
    async () => {
      expect(await refused({ DATELINE_DATA_DIR: '/proc/dateline' })).toContain(
        'DATELINE_DATA_DIR: the folder /proc/dateline cannot be written',
      );
    },
  );

  it('names an unknown setting and a malformed value', async () => {
    expect(await refused({ DATELINE_PROT: '1' })).toContain(
      'dateline: DATELINE_PROT is not a setting of Dateline',
    );
    expect(await refused({ DATELINE_PORT: 'x' })).toContain('dateline: DATELINE_PORT must be a whole number');
    nothingWritten();
  });

  it('names an address that is not this machine’s', async () => {
    expect(await refused({ DATELINE_HOST: '192.0.2.1' })).toContain(
      'dateline: DATELINE_HOST: cannot listen on 192.0.2.1',
    );
    nothingWritten();
  });
});

describe('processes on PostgreSQL', () => {
  const drops: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const drop of drops) await drop();
  });

  async function freshDatabase({ migrated = true } = {}): Promise<string> {
    const { url, drop } = await createPostgresDatabase({ migrated });
    drops.push(drop);
    return url;
  }

  const many = isFullMatrix ? 10 : 4;
  itInLongRuns(
    `all become ready when ${many} start at once on an empty database: one secret key, every migration once`,
    async () => {
      const DATABASE_URL = await freshDatabase({ migrated: false });
      const nodes = Array.from({ length: many }, () => serve({ DATABASE_URL }));
      const urls = await Promise.all(nodes.map((node) => node.ready()));
      for (const { production, sandbox } of urls) {
        expect((await fetch(`${production}/readyz`)).status).toBe(200);
        expect((await fetch(`${sandbox}/readyz`)).status).toBe(200);
      }
      const client = new pg.Client({ connectionString: DATABASE_URL });
      await client.connect();
      for (const schema of ['dateline_production', 'dateline_sandbox']) {
        const { rows } = await client.query(`select name from ${schema}.migrations order by number`);
        expect(rows.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name));
      }
      await client.end();
      expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600);
      const published = await Promise.all(
        urls.map(async ({ sandbox }) => (await fetch(`${sandbox}/.well-known/jwks.json`)).text()),
      );
      expect(new Set(published).size).toBe(1);
      const migrated = nodes.flatMap((node) => node.stderr().match(/^Migrated \w+/gm) ?? []);
      expect(migrated.sort()).toEqual(['Migrated production', 'Migrated sandbox']);

      // What one node stores, every other one sees; keys and tokens too.
      expect(await createOrganization(urls[0]?.sandbox ?? '', 'Seen by all')).toBe(201);
      for (const { sandbox } of urls) expect(await organizationNames(sandbox)).toContain('Seen by all');

      for (const { child } of nodes) child.kill('SIGTERM');
      expect(await Promise.all(nodes.map((node) => node.exit))).toEqual(
        Array.from({ length: many }, () => 0),
      );
    },
  );

  itInLongRuns('report when their data folder is new but the database is not', async () => {
    const DATABASE_URL = await freshDatabase();
    const shared = { DATABASE_URL, DATELINE_SECRET_KEY: secretKeys.old };
    const first = serve(shared);
    await first.ready();
    const other = serve({ ...shared, DATELINE_DATA_DIR: join(folder, 'other') });
    await other.ready();
    expect(other.stdout()).toContain('This database was set up from another data folder');
    expect(existsSync(join(folder, 'other', 'quickstart.json'))).toBe(false);
    expect(existsSync(join(folder, 'secret.key'))).toBe(false);
  });

  itInLongRuns('are refused without the secret key of an existing database, and write nothing', async () => {
    const DATABASE_URL = await freshDatabase();
    await serve({ DATABASE_URL }).ready();
    const strangers = [{}, { DATELINE_SECRET_KEY: secretKeys.old }].map((env) =>
      serve({ DATABASE_URL, DATELINE_DATA_DIR: join(folder, 'other'), ...env }),
    );
    for (const { exit, stdout, stderr } of strangers) {
      expect([await exit, stdout()]).toEqual([1, '']);
      expect(stderr()).toMatch(
        /^dateline: DATELINE_SECRET_KEY: the secrets of production in this database need the key with the id \w{16}, and this node has (none|\w{16}); set it to the key of the other nodes, which is in secret\.key .*\n$/,
      );
    }
    expect(existsSync(join(folder, 'other'))).toBe(false);
    const key = readFileSync(join(folder, 'secret.key'), 'utf8').trim();
    const other = { DATELINE_DATA_DIR: join(folder, 'other'), DATELINE_SECRET_KEY: key };
    await serve({ DATABASE_URL, ...other }).ready();
  });

  itInLongRuns(
    'change their secret key without an outage, and keep the keys that they sign with',
    async () => {
      const DATABASE_URL = await freshDatabase();
      const start = (DATELINE_SECRET_KEY: string) => serve({ DATABASE_URL, DATELINE_SECRET_KEY });
      const published = async (url: string) => (await fetch(`${url}/.well-known/jwks.json`)).text();
      const old = await start(secretKeys.old).ready();
      const keys = await published(old.sandbox);

      const both = await start(`${secretKeys.new},${secretKeys.old}`).ready();
      expect(await published(both.sandbox)).toBe(keys);
      for (const environment of ['production', 'sandbox'] as const) {
        const { code, stdout } = await runDateline(
          ['secret-key', 'rotate', '--environment', environment, '--json'],
          {
            env: {
              DATELINE_DATA_DIR: folder,
              DATELINE_PUBLIC_URL: both.production,
              DATELINE_SANDBOX_PUBLIC_URL: both.sandbox,
            },
          },
        );
        const { active_id, former_ids, node_ids } = JSON.parse(stdout);
        expect([code, former_ids, node_ids[0]]).toEqual([0, [], active_id]);
      }

      const alone = await start(secretKeys.new).ready();
      expect(await published(alone.sandbox)).toBe(keys);
      const late = start(secretKeys.old);
      expect(await late.exit).toBe(1);
      expect(late.stderr()).toContain('dateline: DATELINE_SECRET_KEY: the secrets of production');
    },
  );

  itInLongRuns(
    '[outside2 4] share the ports as workers, those of operators too, answer /metrics for all, replace one that dies and stop together',
    async () => {
      const DATABASE_URL = await freshDatabase();
      const ports = {
        DATELINE_PORT: String(await freePort()),
        DATELINE_SANDBOX_PORT: String(await freePort()),
        DATELINE_SANDBOX_OPERATOR_PORT: String(await freePort()),
      };
      const primary = serve({ DATABASE_URL, ...ports }, ['--workers', '2']);
      const { sandbox } = await primary.ready();
      const operators = `http://127.0.0.1:${ports.DATELINE_SANDBOX_OPERATOR_PORT}`;
      expect(primary.stdout()).toContain(`\noperators of sandbox ${operators}\n`);
      expect((await fetch(`${sandbox}/metrics`)).status).toBe(404);
      // A name that a stranger lets point here.
      expect(await statusFor(operators, 'evil.example')).toBe(421);
      const logPids = (): Set<number> =>
        new Set(
          primary
            .stderr()
            .split('\n')
            .filter((line) => line.includes('"/versions"'))
            .map((line) => JSON.parse(line).pid as number),
        );
      const callUntil = async (enough: () => boolean): Promise<number> => {
        let calls = 0;
        while (!enough() && calls < 2_000) {
          calls += 1;
          await getOnNewConnection(`${sandbox}/versions`);
        }
        return calls;
      };
      const calls = await callUntil(() => logPids().size >= 2);
      const workers = [...logPids()];
      expect(workers).toHaveLength(2);
      const counted = async (): Promise<number> => {
        const metrics = await (await fetch(`${operators}/metrics`)).text();
        const lines = metrics.matchAll(
          /^dateline_http_requests_total\{[^}]*route="\/versions"[^}]*\} (\d+)$/gm,
        );
        return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
      };
      expect(await counted()).toBe(calls);

      process.kill(workers[0] as number, 'SIGKILL');
      await expect.poll(() => primary.stderr()).toContain('worker died; starting another');
      const more = await callUntil(() => logPids().size >= 3);
      expect(logPids().size).toBe(3);
      // Counts of the dead worker are not lost: sums never fall.
      expect(await counted()).toBe(calls + more);
      primary.child.kill('SIGTERM');
      expect(await primary.exit).toBe(0);
    },
  );

  itInLongRuns('with workers name a port that is in use, before anything is written', async () => {
    const DATABASE_URL = await freshDatabase();
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    for (const taken of ['DATELINE_PORT', 'DATELINE_OPERATOR_PORT']) {
      const ports = {
        DATELINE_PORT: String(await freePort()),
        DATELINE_SANDBOX_PORT: String(await freePort()),
        [taken]: String(port),
      };
      const primary = serve({ DATABASE_URL, ...ports }, ['--workers', '2']);
      expect(await primary.exit).toBe(1);
      expect(primary.stderr()).toBe(
        `dateline: Port ${port} is in use by another program; stop that program, or set ${taken} to a free port.\n`,
      );
    }
    expect(readdirSync(folder)).toEqual([]);
    other.close();
  });
});
