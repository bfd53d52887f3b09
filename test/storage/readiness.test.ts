import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations } from '../../src/compose/migrations.ts';
import { sha256Hex } from '../../src/kernel/digest.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../support/database/postgres-database.ts';
import { startTcpProxy, type TcpProxy } from '../support/database/tcp-proxy.ts';
import { createOAuthNodes, type OAuthNodes, postForm } from '../support/oauth/oauth-nodes.ts';
import { itInLongRuns } from '../support/run/in-long-runs.ts';
import { printFigures } from '../support/run/print-figures.ts';

const SQL = 'alter table {schema}.oauth_tokens add column added text';
const ADDED = {
  number: migrations.length + 1,
  name: `${String(migrations.length + 1).padStart(4, '0')}-added`,
  sql: SQL,
  sha256: sha256Hex(SQL),
};

describe('the readiness of a node', () => {
  let database: PostgresDatabase;
  let proxy: TcpProxy;
  let nodes: OAuthNodes;
  beforeAll(async () => {
    database = await createPostgresDatabase({ migrated: true });
    proxy = await startTcpProxy(database.url);
    nodes = await createOAuthNodes(database.url, {
      through: proxy.url,
      env: { DATELINE_DRAIN_SECONDS: '3' },
    });
  }, 120_000);
  afterAll(async () => {
    await nodes?.close();
    await proxy?.close();
    await database?.drop();
  });

  async function readiness(url = nodes.first.url): Promise<[number, unknown]> {
    const response = await fetch(`${url}/readyz`);
    return [response.status, await response.json()];
  }
  async function gauge(): Promise<string | undefined> {
    const text = await (await fetch(`${nodes.first.url}/metrics`)).text();
    return /^dateline_database_up\{[^}]*\} (\d)$/m.exec(text)?.[1];
  }
  /** Until it is what it should be; says how long that took. */
  async function timeTo(what: string, expected: unknown): Promise<void> {
    const startedAtMs = performance.now();
    await expect.poll(readiness).toEqual(expected);
    printFigures(`${what} after ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`);
  }

  const READY = [200, { status: 'ready' }];
  const STUCK = [
    503,
    {
      status: 'unfit',
      problem:
        'The database answers, but no token could be looked up for 5 seconds or more; another session may hold a lock on the tables.',
    },
  ];
  const AWAY = [503, { status: 'unfit', problem: 'The database has not answered for 5 seconds or more.' }];

  it('[outside 19] is 503 with the reason, and a gauge of 0, while the database is away; a blip changes nothing', async () => {
    const { access } = await nodes.newFamily();
    const introspect = () => postForm(nodes.first.url, 'introspect', { ...nodes.credentials, token: access });
    expect([await readiness(), await gauge()]).toEqual([READY, '1']);

    const during: unknown[] = [];
    for (let blip = 0; blip < 3; blip += 1) {
      await proxy.refuse();
      proxy.cut();
      for (let look = 0; look < 20; look += 1) during.push((await readiness())[0]);
      await proxy.resume();
      await expect.poll(async () => (await introspect())?.status).toBe(200);
    }
    expect(new Set(during)).toEqual(new Set([200]));

    await proxy.refuse();
    proxy.cut();
    await timeTo('not ready', AWAY);
    expect([await gauge(), (await introspect())?.status]).toEqual(['0', 503]);
    await proxy.resume();
    await timeTo('ready again', READY);
    expect([await gauge(), (await introspect())?.status]).toEqual(['1', 200]);
  }, 120_000);

  it('[outside2 14] is 503 while another session holds a lock on its tables, and 200 again by itself afterwards', async () => {
    const other = new pg.Client(database.url);
    await other.connect();
    try {
      await other.query('begin; lock table dateline_sandbox.oauth_tokens in access exclusive mode');
      await timeTo('not ready behind a lock', STUCK);
      expect(await gauge()).toBe('0');
      await other.query('rollback');
      await timeTo('ready after a lock', READY);
      expect(await gauge()).toBe('1');
    } finally {
      await other.end();
    }
  }, 120_000);

  itInLongRuns(
    '[outside 19] is 503 also while every byte to the database is lost, and 200 again by itself',
    async () => {
      proxy.blackhole();
      await timeTo('not ready in a black hole', AWAY);
      await proxy.resume();
      await timeTo('ready after a black hole', READY);
    },
    180_000,
  );

  itInLongRuns(
    '[outside 19] ends first when a node is asked to stop: it serves on for DATELINE_DRAIN_SECONDS, then it refuses',
    async () => {
      const { access } = await nodes.newFamily();
      const { url, process } = await nodes.start();
      process.child.kill('SIGTERM');
      const seen: unknown[] = [];
      await expect.poll(() => readiness(url)).toEqual([503, { status: 'draining' }]);
      while (process.child.exitCode === null) {
        const ready = await readiness(url).catch(() => null);
        const answer = await postForm(url, 'introspect', { ...nodes.credentials, token: access });
        seen.push(ready === null || answer === null ? 'refused' : [ready[0], answer.status]);
      }
      const served = seen.filter((look) => String(look) === '503,200');
      printFigures(`${served.length} requests answered between "not ready" and the end`);
      // While it leaves, it is not ready and answers; afterwards it refuses, by 503 or by no answer: never the other way round.
      expect(served.length).toBeGreaterThan(0);
      expect(seen.slice(0, served.length)).toEqual(served);
      expect(['503,503', 'refused']).toEqual(expect.arrayContaining(seen.slice(served.length).map(String)));
      expect(await process.exit).toBe(0);
    },
  );

  // The last one: afterwards the database is newer than the build.
  it('[outside2 14] is kept, and tokens are introspected, while a migration waits for a long reader', async () => {
    const { access } = await nodes.newFamily();
    const introspect = () => postForm(nodes.first.url, 'introspect', { ...nodes.credentials, token: access });
    const reader = new pg.Client(database.adminUrl);
    await reader.connect();
    const ours = openPostgres({
      schema: 'dateline_sandbox',
      url: database.adminUrl,
      poolMax: 1,
      onError() {},
    });
    const said: string[] = [];
    try {
      await reader.query('begin; select count(*) from dateline_sandbox.oauth_tokens');
      const migrating = migrate(ours, [...migrations, ADDED], {
        say: (sentence) => said.push(sentence),
        patience: { lockMs: 500, pauseMs: 50, triesMax: 1_000 },
      });
      // Each try keeps the others waiting for as long as it stands in the queue, and lets them pass then.
      await expect.poll(() => said.length).toBeGreaterThan(0);
      for (let round = 0; round < 5; round += 1)
        expect(await introspect()).toMatchObject({ status: 200, body: { active: true } });
      expect(await readiness()).toEqual(READY);
      await expect(
        migrate(ours, [...migrations, ADDED], { patience: { lockMs: 1, pauseMs: 1, triesMax: 2 } }),
      ).rejects.toThrow('A migration of dateline_sandbox got no lock on a table in 2 tries');
      await reader.query('commit');
      expect(await migrating).toEqual([ADDED]);
      expect(said[0]).toBe(
        'A migration of dateline_sandbox waits for a lock on a table that another session holds; tried 1 of 1000 times.',
      );
    } finally {
      await reader.end();
      await ours.close();
    }
  }, 120_000);
});
