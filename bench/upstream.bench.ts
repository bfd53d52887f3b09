import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createVersions } from '../src/compose/create-versions.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { startPostgresServer } from '../test/support/database/postgres-server.ts';
import { runSql } from '../test/support/database/shifted-database.ts';
import { spawnDateline, startOptions } from '../test/support/service/spawn-dateline.ts';
import { addedMemory } from './added-memory.ts';
import type { Bench, Contender } from './harness.ts';
import { type CallOptions, CONNECTIONS, caller } from './http-caller.ts';
import { installed } from './installed.ts';
import { OPERATIONS_EACH, ordersFolder } from './orders-folder.ts';
import { startServer } from './start-server.ts';

const LARGE = 220;
const proxy = { read: 'reading, @fastify/http-proxy', place: 'placing, @fastify/http-proxy' };
const next = { read: 'reading, Next', place: 'placing, Next' };
const deprecated = {
  read: 'reading, Deprecated, two steps back',
  place: 'placing, Deprecated, two steps back',
};
const large = {
  read: 'reading, Next, in a folder of 1,100 more operations',
  place: 'placing, Deprecated, in a folder of 1,100 more operations',
};

const lines = ['umbrella', 'raincoat', 'boots', 'hat', 'towel'].map((sku, at) => ({ sku, quantity: at + 1 }));
const order = {
  id: 'ord-1',
  customer: 'Ada Lovelace',
  lines,
  total: { amount: '325.00', currency: 'EUR' },
  state: 'placed',
  note: 'Ring twice, please: the bell is quiet.',
};
/** One order in two versions: the upstream gets the same of both. */
const newOrder = { customer: order.customer, lines: [{ sku: 'umbrella', quantity: 2 }] };
const newOlderOrder = { customer: order.customer, item: 'umbrella', quantity: 2 };

/** An order that is placed is as it was sent, so that what a change has made of it is there to be seen. A receipt has as many MiB as its order's id says. */
const UPSTREAM = `
  import { Readable } from 'node:stream';
  import Fastify from 'fastify';
  const app = Fastify();
  const order = ${JSON.stringify(order)};
  app.get('/orders/:id', async () => order);
  app.post('/orders', async ({ body }, reply) => {
    reply.status(201);
    return { id: order.id, total: order.total, state: order.state, ...body };
  });
  const chunk = Buffer.alloc(65_536, 'x');
  app.get('/orders/:id/receipt', (request, reply) => {
    let left = Number(request.params.id) * 16;
    const chunks = function* () { for (; left > 0; left -= 1) yield chunk; };
    reply.type('text/csv').send(Readable.from(chunks()));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  console.log(app.server.address().port);
`;

const proxyTo = (upstream: string): string => `
  import Fastify from 'fastify';
  import httpProxy from '@fastify/http-proxy';
  const app = Fastify();
  app.register(httpProxy, { upstream: '${upstream}' });
  await app.listen({ port: 0, host: '127.0.0.1' });
  console.log(app.server.address().port);
`;

const COMPARED: Bench['ratios'] = [
  [next.read, proxy.read],
  [next.place, proxy.place],
  [deprecated.read, next.read],
  [deprecated.place, next.place],
  [large.read, next.read],
  [large.place, deprecated.place],
];

export const bench: Bench = {
  name: 'upstream',
  description:
    `reading and placing orders of an API folder over ${CONNECTIONS} connections, same Fastify upstream, tokens on PostgreSQL; the proxy ` +
    'checks nothing',
  ratios: COMPARED,
  mainThreads: COMPARED,
  latencies: [next.read, deprecated.place],
  async prepare() {
    const { deprecated: oldest, next: newest } = createVersions(systemClock).lifecycle();
    const peers = installed('http-proxy', ['@fastify/http-proxy@11', 'fastify@5']);
    const postgres = await startPostgresServer();
    const upstream = await startServer(['--input-type=module', '--eval', UPSTREAM]);
    const bare =
      peers !== null &&
      (await startServer(['--input-type=module', '--eval', proxyTo(upstream.url)], { cwd: peers }));
    const small = await startService({ upstream: upstream.url, postgres: postgres.url });
    const many = await startService({ upstream: upstream.url, postgres: postgres.url, resources: LARGE });
    return {
      contenders: [
        reading(next.read, small.server(newest)),
        reading(deprecated.read, small.server(oldest)),
        reading(large.read, many.server(newest)),
        placing(next.place, small.server(newest), newOrder),
        placing(deprecated.place, small.server(oldest), newOlderOrder),
        placing(large.place, many.server(oldest), newOlderOrder),
        ...(bare
          ? [
              reading(proxy.read, { url: bare.url, pid: bare.pid }),
              placing(proxy.place, { url: bare.url, pid: bare.pid }, newOrder),
            ]
          : []),
      ],
      figures: async () => [
        {
          what: 'MiB that an answer of 1 GiB adds to the process',
          ...(await addedMemory(small.server(newest), '/orders/1024/receipt')),
        },
      ],
      async close() {
        await small.stop();
        await many.stop();
        if (bare) await bare.stop();
        await upstream.stop();
        await postgres.stop();
      },
    };
  },
};

export interface MeasuredServer {
  url: string;
  pid: number;
  headers?: Readonly<Record<string, string>>;
}

const READ = '"id":"ord-1"';

function reading(name: string, { url, pid, headers = {} }: MeasuredServer): Contender {
  return caller(name, `${url}/orders/ord-1`, { headers, pid, expects: READ });
}

function placing(name: string, { url, pid, headers = {} }: MeasuredServer, body: object): Contender {
  const text = JSON.stringify(body);
  const options: CallOptions = {
    headers: { ...headers, 'content-type': 'application/json' },
    form: () => text,
  };
  return caller(name, `${url}/orders`, { ...options, pid, expects: READ });
}

interface ServiceOptions {
  upstream: string;
  postgres: string;
  resources?: number;
}

async function startService({ upstream, postgres, resources = 0 }: ServiceOptions) {
  const database = `bench_upstream_${resources * OPERATIONS_EACH}`;
  await runSql(`${postgres}/postgres`, `create database ${database}`);
  const { folder, dataDir } = ordersFolder(upstream, resources);
  const service = spawnDateline(['serve', '--api', folder], {
    env: {
      DATELINE_DATA_DIR: dataDir,
      DATABASE_URL: `${postgres}/${database}`,
      NODE_OPTIONS: startOptions(),
    },
    ignoreLog: true,
  });
  const { sandbox } = await service.ready();
  const quickstart = readFileSync(join(dataDir, 'quickstart.json'), 'utf8');
  const { access_token: token } = JSON.parse(quickstart).sandbox;
  return {
    server: (version: string): MeasuredServer => ({
      url: sandbox,
      // A process that is ready has an id.
      pid: service.child.pid as number,
      headers: { authorization: `Bearer ${token}`, 'service-version': version },
    }),
    async stop() {
      service.child.kill();
      await service.exit;
      for (const path of [folder, dataDir]) rmSync(path, { recursive: true, force: true });
    },
  };
}
