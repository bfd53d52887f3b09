import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type DedicatedPostgresServer,
  freePort,
  startDedicatedPostgresServer,
} from '../support/database/postgres-server.ts';
import { copyOrdersFor } from '../support/folder/orders-folder.ts';
import { type SpawnedDateline, spawnDateline } from '../support/service/spawn-dateline.ts';

const EVENTS = 10_000;
const KILLS = 50;

describe('events of one’s own API', () => {
  let database: DedicatedPostgresServer;
  let folder: string;
  let dataDir: string;
  beforeAll(async () => {
    database = await startDedicatedPostgresServer();
    folder = copyOrdersFor();
    dataDir = mkdtempSync(join(tmpdir(), 'dateline-own-crash-'));
  });
  afterAll(async () => {
    await database?.stop();
    for (const path of [folder, dataDir]) rmSync(path, { recursive: true, force: true });
  });

  it('are each delivered, and none under two ids, while node and publisher are killed with -9 fifty times', async () => {
    const env = {
      DATABASE_URL: `${database.url}/postgres`,
      DATELINE_DATA_DIR: dataDir,
      DATELINE_LOG_LEVEL: 'fatal',
      DATELINE_API: folder,
      DATELINE_PORT: String(await freePort()),
      DATELINE_SANDBOX_PORT: String(await freePort()),
    };
    const receiver = await startReceiver();
    const startNode = async () => {
      const node = spawnDateline(['serve'], { env });
      await node.ready();
      return node;
    };
    let node = await startNode();
    const { access_token: token, organization_id } = JSON.parse(
      readFileSync(join(dataDir, 'quickstart.json'), 'utf8'),
    ).sandbox;
    const base = `http://127.0.0.1:${env.DATELINE_SANDBOX_PORT}`;
    const made = await fetch(`${base}/v1/webhooks/endpoints`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: receiver.url, events: ['order.placed'], format: 'raw' }),
    });
    expect(made.status).toBe(201);
    const file = join(dataDir, 'events.ndjson');
    writeFileSync(file, eventLines(organization_id));

    const publishing: { child: SpawnedDateline | null; isDone: boolean } = { child: null, isDone: false };
    const published = (async () => {
      while (!publishing.isDone) {
        publishing.child = spawnDateline(['event', 'publish', '--file', file], { env });
        publishing.isDone = (await publishing.child.exit) === 0;
      }
    })();
    let kills = 0;
    while (kills < KILLS) {
      await delay(200 + Math.random() * 1_500);
      if (kills % 2 === 0 && !publishing.isDone) publishing.child?.child.kill('SIGKILL');
      else {
        node.child.kill('SIGKILL');
        await node.exit;
        node = await startNode();
      }
      kills += 1;
    }
    await published;
    await receiver.until(() => receiver.idsOf.size === EVENTS);
    node.child.kill('SIGTERM');
    await node.exit;
    receiver.close();
    expect([...receiver.idsOf].filter(([, ids]) => ids.size !== 1)).toEqual([]);
    console.info(`${receiver.idsOf.size} events delivered over ${kills} kills, each under one id`);
  }, 900_000);

  function eventLines(organizationId: string): string {
    const lines = Array.from({ length: EVENTS }, (_none, index) => {
      const data = {
        id: `ord-${index}`,
        customer: 'Ada',
        lines: [{ sku: 'umbrella', quantity: 1 }],
        total: { amount: '12.50', currency: 'EUR' },
        state: 'placed',
      };
      return JSON.stringify({
        id: `placed-${index}`,
        type: 'order.placed',
        organization_id: organizationId,
        data,
      });
    });
    return `${lines.join('\n')}\n`;
  }
});

/** Remembers under which ids each order came. */
async function startReceiver() {
  const idsOf = new Map<string, Set<string>>();
  const server = createServer(async (request, response) => {
    const { data } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const ids = idsOf.get(data.id) ?? new Set();
    idsOf.set(data.id, ids.add(String(request.headers['webhook-id'])));
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    idsOf,
    async until(done: () => boolean): Promise<void> {
      let [seen, quietSince] = [-1, performance.now()];
      while (!done()) {
        if (idsOf.size !== seen) quietSince = performance.now();
        seen = idsOf.size;
        // A killed node's lease lasts for a while, and a retry may come after it.
        if (performance.now() - quietSince > 120_000)
          throw new Error(`nothing new came for two minutes; ${idsOf.size} orders came`);
        await delay(100);
      }
    },
    close: () => void server.close(),
  };
}
