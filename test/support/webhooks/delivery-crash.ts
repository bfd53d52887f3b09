import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { newProduct } from '../contracts/products.ts';
import type { DedicatedPostgresServer } from '../database/postgres-server.ts';
import { type SpawnedDateline, spawnDateline } from '../service/spawn-dateline.ts';

export interface CrashPlan {
  events: number;
  workers: number;
  kills: number;
  databaseRestarts: number;
}

export interface CrashReport {
  /** Number of deliveries of each event, by its id. */
  deliveries: ReadonlyMap<string, number>;
  /** Ids that arrived with more than one body. */
  changed: readonly string[];
  /** The products that were created, and those whose event arrived. */
  created: readonly string[];
  receivedIds: ReadonlySet<string>;
}

/**
 * One process that serves and several that deliver, all real, over a PostgreSQL server of their own. While products are
 * created and delivered, workers are killed at random moments and the database stops and starts again.
 */
export async function deliverThroughCrashes(
  database: DedicatedPostgresServer,
  { events, workers, kills, databaseRestarts }: CrashPlan,
): Promise<CrashReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'dateline-crash-'));
  const env = {
    DATABASE_URL: `${database.url}/postgres`,
    DATELINE_DATA_DIR: dataDir,
    DATELINE_LOG_LEVEL: 'fatal',
    DATELINE_DELIVER: 'off',
  };
  const receiver = await startCountingReceiver();
  const serving = spawnDateline(['serve'], { env });
  const running: SpawnedDateline[] = [];
  try {
    const { sandbox: url } = await serving.ready();
    const api = apiOf(
      url,
      JSON.parse(readFileSync(join(dataDir, 'quickstart.json'), 'utf8')).sandbox.access_token,
    );
    for (let port = 0; port < 4; port += 1)
      await api('/v1/webhooks/endpoints', {
        url: `${receiver.url}/${port}`,
        format: 'raw',
        events: ['product.created'],
      });
    for (let count = 0; count < workers; count += 1) running.push(spawnDateline(['worker'], { env }));

    const created: string[] = [];
    const creating = createAll(api, events, created);
    for (let kill = 1; kill <= kills; kill += 1) {
      await delay(100 + Math.random() * 600);
      const index = Math.floor(Math.random() * running.length);
      running[index]?.child.kill('SIGKILL');
      await running[index]?.exit;
      running[index] = spawnDateline(['worker'], { env });
      if (kill % Math.ceil(kills / (databaseRestarts + 1)) === 0 && kill < kills) {
        await database.pause();
        await delay(500);
        await database.resume();
      }
    }
    await creating;
    await receiver.until(() => receiver.deliveries.size >= created.length * 4);
    return { ...receiver, created };
  } finally {
    for (const { child, exit } of [...running, serving]) {
      child.kill('SIGKILL');
      await exit;
    }
    receiver.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type Api = (path: string, body: unknown) => Promise<{ id: string } | null>;

/** Returns what was created; null where the service answered 503. */
function apiOf(url: string, token: string): Api {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return async (path, body) => {
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const answer = (await response.json()) as { id: string };
    if (response.status === 503) return null;
    if (response.status !== 201)
      throw new Error(`${path} answered ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  };
}

/** Four events each, one per endpoint. */
async function createAll(api: Api, events: number, created: string[]): Promise<void> {
  async function creator(): Promise<void> {
    while (created.length * 4 < events) {
      const product = await api('/v1/products/', newProduct);
      if (product) created.push(product.id);
      else await delay(100);
    }
  }
  await Promise.all(Array.from({ length: 4 }, creator));
}

async function startCountingReceiver() {
  const deliveries = new Map<string, number>();
  const bodies = new Map<string, string>();
  const changed: string[] = [];
  const receivedIds = new Set<string>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const id = String(request.headers['webhook-id']);
      const digest = createHash('sha256').update(body).digest('hex');
      if ((bodies.get(id) ?? digest) !== digest) changed.push(id);
      bodies.set(id, digest);
      receivedIds.add(JSON.parse(body.toString()).data.id);
      deliveries.set(id, (deliveries.get(id) ?? 0) + 1);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    deliveries,
    changed,
    receivedIds,
    async until(done: () => boolean): Promise<void> {
      let quietSince = performance.now();
      let seen = -1;
      while (!done()) {
        if (deliveries.size !== seen) quietSince = performance.now();
        seen = deliveries.size;
        // A killed worker's lease lasts for a while, and a retry may come after it.
        if (performance.now() - quietSince > 120_000)
          throw new Error(`nothing new came for two minutes; ${deliveries.size} events were delivered`);
        await delay(100);
      }
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
