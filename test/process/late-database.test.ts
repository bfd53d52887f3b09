import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readQuickstart } from '../../src/quickstart/quickstart-file.ts';
import { newProduct } from '../support/contracts/products.ts';
import {
  type DedicatedPostgresServer,
  freePort,
  startDedicatedPostgresServer,
} from '../support/database/postgres-server.ts';
import { runSql } from '../support/database/shifted-database.ts';
import { runDateline, type SpawnedDateline, spawnDateline } from '../support/service/spawn-dateline.ts';
import { startReceiver } from '../support/webhooks/receivers.ts';

// In place before a node prepares its statements, which keep the function that they call.
const SETTABLE_CLOCK = `
  create table public.clock_shift as select 0 as seconds;
  alter function pg_catalog.now() rename to now_unless_set;
  create function pg_catalog.now() returns timestamptz language sql stable as $$
    select pg_catalog.now_unless_set() + pg_catalog.make_interval(secs => (select seconds from public.clock_shift)) $$`;

describe('a node whose database', () => {
  let server: DedicatedPostgresServer;
  let node: SpawnedDateline;
  const dataDir = mkdtempSync(join(tmpdir(), 'dateline-late-'));
  beforeAll(async () => {
    server = await startDedicatedPostgresServer();
    await runSql(`${server.url}/postgres`, SETTABLE_CLOCK);
  });
  afterAll(async () => {
    node?.child.kill('SIGKILL');
    await node?.exit;
    await server?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const env = (url: string) => ({
    DATABASE_URL: url,
    DATELINE_DATA_DIR: dataDir,
    DATELINE_LOG_LEVEL: 'fatal',
  });

  it('[outside2 16] comes late waits for it, and says so', async () => {
    await server.pause();
    node = spawnDateline(['serve', '--wait', '120'], { env: env(`${server.url}/postgres`) });
    await expect
      .poll(() => node.stderr(), { timeout: 150_000 })
      .toMatch(
        /^Waiting for the database, \d+ seconds more: DATABASE_URL: no database answers at .*ECONNREFUSED/m,
      );
    await server.resume();
    await node.ready();
  }, 240_000);

  it('does not come ends when it is asked to, as the first process of a container must', async () => {
    const waiting = spawnDateline(['serve'], {
      env: env(`postgres://postgres@127.0.0.1:${await freePort()}/postgres`),
    });
    await expect.poll(() => waiting.stderr()).toContain('Waiting for the database');
    waiting.child.kill('SIGTERM');
    expect([await waiting.exit, waiting.child.signalCode]).toEqual([0, null]);
  });

  it('[outside2 16] refuses it ends at once, with a sentence', async () => {
    const wrong = new URL(`${server.url}/no_such_database`);
    const { code, stderr } = await runDateline(['serve'], { env: env(wrong.href) });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^dateline: DATABASE_URL: the database at .*\/no_such_database refuses \(database "no_such_database" does not exist\).*$/m,
    );
    expect(stderr).not.toContain('Waiting for the database');
  }, 240_000);

  it('[outside2 16] sets its clock back by 50 minutes tries failed events again in time', async () => {
    const { sandbox } = readQuickstart(join(dataDir, 'quickstart.json')) ?? {};
    if (!sandbox) throw new Error('the node has written no quickstart.json');
    const { client_id, client_secret } = sandbox;
    const { sandbox: url } = await node.ready();
    const call = async (path: string, init: RequestInit) => {
      const response = await fetch(url + path, { method: 'POST', ...init });
      if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
      return (await response.json()) as Record<string, string>;
    };
    const { access_token } = await call('/v1/oauth2/token', {
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
    });
    const post = (path: string, body: unknown) =>
      call(path, {
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const receiver = await startReceiver({ answer: (_request, response) => response.writeHead(500).end() });
    const hook = `http://127.0.0.1:${receiver.port}/`;
    await post('/v1/webhooks/endpoints', { url: hook, format: 'raw', events: ['product.created'] });
    await post('/v1/products/', newProduct);
    await expect.poll(() => receiver.requests.length).toBe(1);
    await runSql(`${server.url}/postgres`, 'update public.clock_shift set seconds = -3000');
    await expect.poll(() => receiver.requests.length).toBe(2);
  }, 240_000);
});
