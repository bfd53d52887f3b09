import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { statement } from '../../../src/storage/statement.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../../support/database/postgres-database.ts';
import { firstOf, itInLongRuns } from '../../support/run/in-long-runs.ts';
import { afterNext, current, deprecated, maintained, next } from '../../support/service/build-versions.ts';
import { type SpawnedDateline, spawnDateline } from '../../support/service/spawn-dateline.ts';
import { startTestService } from '../../support/service/test-service.ts';

const product = { name: 'Support plan', billing: 'recurring', prices: [{ amount: 4900, currency: 'eur' }] };

describe('a release while requests are under way', () => {
  it('[versions 71] lets a request keep the version it began with', async () => {
    const service = await startTestService('PostgreSQL');
    const headers = {
      authorization: `Bearer ${service.quickstart.sandbox.access_token}`,
      'content-type': 'application/json',
    };
    const created = await service.call('sandbox', '/v1/products/', {
      method: 'POST',
      headers,
      body: JSON.stringify(product),
    });
    const { id } = (await created.json()) as { id: string };
    await service.operate('sandbox', '/operator/release/run', { method: 'POST', body: {} });
    const database = await service.database('sandbox');
    const waiting = statement(
      'waiting',
      "select count(*) as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    );
    // Read from outside the transaction: inside, PostgreSQL keeps its first snapshot of the waiting sessions.
    const response = await database.transaction(async (session) => {
      await session.run(statement('hold', 'select 1 from {schema}.products where id = $1 for update'), [id]);
      const began = service.call('sandbox', `/v1/products/${id}`, {
        method: 'PATCH',
        headers,
        body: '{"name":"Began before"}',
      });
      await expect
        .poll(async () => (await database.run<{ count: number }>(waiting, []))[0]?.count)
        .toBeGreaterThan(0);
      await expect
        .poll(async () => {
          service.clock.advanceSeconds(3);
          return (await service.call('sandbox', '/versions')).headers.get('service-version');
        })
        .toBe(next);
      return { began };
    });
    const answer = await response.began;
    expect([answer.status, answer.headers.get('service-version')]).toEqual([200, current]);
    expect(await answer.json()).toMatchObject({ id, name: 'Began before' });
    await service.stop();
  });
});

describe('a release on several nodes', () => {
  const nodes: SpawnedDateline[] = [];
  let dataDir: string;
  let database: PostgresDatabase;
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'dateline-release-'));
    database = await createPostgresDatabase({ migrated: true });
  });
  afterEach(async () => {
    for (const { child, exit } of nodes.splice(0)) {
      child.kill('SIGKILL');
      await exit;
    }
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  function startNode(): SpawnedDateline {
    const env = { DATABASE_URL: database.url, DATELINE_DATA_DIR: dataDir, DATELINE_LOG_LEVEL: 'error' };
    const node = spawnDateline(['serve'], { env });
    nodes.push(node);
    return node;
  }

  const operatorKey = (): string =>
    JSON.parse(readFileSync(join(dataDir, 'quickstart.json'), 'utf8')).sandbox.operator_key;

  async function decideRelease(url: string): Promise<number> {
    const response = await fetch(`${url}/operator/release/run`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorKey()}`, 'content-type': 'application/json' },
      body: '{}',
    });
    return Date.parse(((await response.json()) as { effective_at: string }).effective_at);
  }

  interface Seen {
    asked: string | undefined;
    startedAtMs: number;
    endedAtMs: number;
    status: number;
    version: string;
    /** The Current version, from the body. */
    currentInBody: string | undefined;
  }

  const agent = new Agent({ keepAlive: true, maxSockets: 12 });
  const ask = (url: string, asked: string | undefined): Promise<Seen> =>
    new Promise((resolve, reject) => {
      const startedAtMs = Date.now();
      const headers = asked === undefined ? {} : { 'service-version': asked };
      get(`${url}/versions`, { agent, headers }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('end', () =>
          resolve({
            asked,
            startedAtMs,
            endedAtMs: Date.now(),
            status: response.statusCode ?? 0,
            version: String(response.headers['service-version']),
            currentInBody: (JSON.parse(text) as { current?: string }).current,
          }),
        );
      }).on('error', reject);
    });

  /** The one state that a response reflects, or null if it mixes two. */
  function stateOf(seen: Seen): 'before' | 'after' | null {
    if (speaksOf(maintained, seen)) return 'before';
    if (speaksOf([current, next, afterNext], seen)) return 'after';
    return null;
  }

  /** Whether a response is correct while these are Deprecated, Current and Next. */
  function speaksOf(maintained: readonly string[], { asked, status, version, currentInBody }: Seen): boolean {
    const now = maintained[1] as string;
    const served = asked === undefined || maintained.includes(asked);
    return (
      currentInBody === now && status === (served ? 200 : 404) && version === (served ? (asked ?? now) : now)
    );
  }

  it('[versions 72] flips all of them at one instant: every answer under load reflects one state, and none fails', async () => {
    const first = startNode();
    await first.ready();
    const others = firstOf([startNode, startNode], 1).map((start) => start());
    const urls = (await Promise.all([first, ...others].map((node) => node.ready()))).map(
      ({ sandbox }) => sandbox,
    );
    const effectiveAtMs = await decideRelease(urls[0] as string);
    const seen: Seen[] = [];
    const kinds = [undefined, deprecated, current, afterNext];
    // Each calls one node after the other, without a pause, from before the instant until well after it.
    const caller = async (_: unknown, index: number): Promise<void> => {
      await sleep(effectiveAtMs - 1_000 - Date.now());
      for (let turn = index; Date.now() < effectiveAtMs + 1_500; turn += 1)
        seen.push(await ask(urls[turn % urls.length] as string, kinds[turn % kinds.length]));
    };
    await Promise.all(Array.from({ length: 10 }, caller));
    expect(seen.filter(({ status }) => status >= 500)).toEqual([]);
    expect(seen.filter((result) => stateOf(result) === null)).toEqual([]);
    // A node knows the database's time to within its round trip.
    const toleranceMs = 250;
    const early = seen.filter(
      (result) => stateOf(result) === 'after' && result.endedAtMs < effectiveAtMs - toleranceMs,
    );
    const late = seen.filter(
      (result) => stateOf(result) === 'before' && result.startedAtMs > effectiveAtMs + toleranceMs,
    );
    expect({ early, late }).toEqual({ early: [], late: [] });
    expect(new Set(seen.map(stateOf))).toEqual(new Set(['before', 'after']));
  });

  itInLongRuns('[versions 76] is complete after a crash between the decision and its instant', async () => {
    const node = startNode();
    await decideRelease((await node.ready()).sandbox);
    node.child.kill('SIGKILL');
    await node.exit;
    const { sandbox, production } = await startNode().ready();
    const currentOf = async (url: string): Promise<unknown> =>
      ((await (await fetch(`${url}/versions`)).json()) as { current: string }).current;
    await expect.poll(() => currentOf(sandbox), { timeout: 20_000 }).toBe(next);
    expect(await currentOf(production)).toBe(current);
  });
});
