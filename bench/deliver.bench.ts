import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startPostgresServer } from '../test/support/database/postgres-server.ts';
import { spawnDateline } from '../test/support/service/spawn-dateline.ts';
import type { Bench, Contender, Work } from './harness.ts';
import { startServer } from './start-server.ts';

const flatOut = 'deliveries, as fast as they go';
const healthyOnly = 'event to arrival, 100 endpoints';
const withHanging = 'event to arrival, 100 endpoints beside 10 that hang';

/** Products a second: each is published to 100 endpoints. */
const STEADY_PER_SECOND = 1;
const WRITERS = 4;

export const bench: Bench = {
  name: 'deliver',
  description: 'webhooks to 100 receivers on loopback, one node on PostgreSQL that serves and delivers',
  ratios: [],
  latencies: [healthyOnly, withHanging],
  async prepare() {
    const server = await startPostgresServer();
    const stage = await startStage(server.url);
    return {
      contenders: [
        { name: flatOut, work: (forMs) => stage.flatOut(forMs) },
        stage.steady(healthyOnly, false),
        stage.steady(withHanging, true),
      ],
      async close() {
        await stage.close();
        await server.stop();
      },
    };
  },
};

async function startStage(serverUrl: string) {
  await runOnce(`${serverUrl}/postgres`, 'create database bench_deliver');
  const dataDir = mkdtempSync(join(tmpdir(), 'dateline-bench-'));
  const env = { DATABASE_URL: `${serverUrl}/bench_deliver`, DATELINE_DATA_DIR: dataDir };
  const node = spawnDateline(['serve'], { env, ignoreLog: true });
  const { sandbox: url } = await node.ready();
  const receivers = await startServer([fileURLToPath(import.meta.url.replace('deliver.bench', 'receivers'))]);
  const ports = (await (await fetch(`${receivers.url}/ports`)).json()) as Record<
    'healthy' | 'hanging',
    number[]
  >;
  const token = JSON.parse(readFileSync(join(dataDir, 'quickstart.json'), 'utf8')).sandbox.access_token;

  async function call(method: string, path: string, body?: object): Promise<{ id: string }> {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`);
    return (await response.json()) as { id: string };
  }
  const create = (port: number, enabled: boolean) =>
    call('POST', '/v1/webhooks/endpoints', {
      url: `http://127.0.0.1:${port}/`,
      events: ['product.created'],
      enabled,
    });
  for (const port of ports.healthy) await create(port, true);
  const hanging: string[] = [];
  for (const port of ports.hanging) hanging.push((await create(port, false)).id);
  const setHanging = async (enabled: boolean): Promise<void> => {
    for (const id of hanging) await call('PATCH', `/v1/webhooks/endpoints/${id}`, { enabled });
  };

  const happen = () =>
    call('POST', '/v1/products/', {
      name: 'Support plan',
      billing: 'recurring',
      prices: [{ amount: 4900, currency: 'eur' }],
    });
  const arrived = async (): Promise<number[]> => (await (await fetch(receivers.url)).json()) as number[];

  /** Waits for all that is due to the healthy ones: what is lost keeps the bench from ending. */
  async function collect(products: number): Promise<number[]> {
    const ages: number[] = [];
    while (ages.length < products * ports.healthy.length) {
      await delay(50);
      ages.push(...(await arrived()));
    }
    return ages;
  }

  return {
    async flatOut(forMs: number): Promise<Work> {
      const end = performance.now() + forMs;
      let products = 0;
      async function writer(): Promise<void> {
        while (performance.now() < end) {
          await happen();
          products += 1;
        }
      }
      await Promise.all(Array.from({ length: WRITERS }, writer));
      return { operations: (await collect(products)).length };
    },
    steady(name: string, hangs: boolean): Contender {
      return {
        name,
        beforeTurn: () => setHanging(hangs),
        async work(forMs) {
          const products = Math.max(1, Math.round((forMs / 1000) * STEADY_PER_SECOND));
          for (let count = 0; count < products; count += 1) {
            await happen();
            await delay(1000 / STEADY_PER_SECOND);
          }
          const latenciesMs = await collect(products);
          return { operations: latenciesMs.length, latenciesMs };
        },
      };
    },
    async close() {
      node.child.kill('SIGKILL');
      await node.exit;
      await receivers.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function runOnce(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(sql);
  await client.end();
}
