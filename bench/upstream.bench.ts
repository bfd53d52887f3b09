import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVersions } from '../src/compose/create-versions.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { startPostgresServer } from '../test/support/database/postgres-server.ts';
import { runSql } from '../test/support/database/shifted-database.ts';
import { spawnDateline } from '../test/support/service/spawn-dateline.ts';
import type { Bench } from './harness.ts';
import { CONNECTIONS, caller } from './http-caller.ts';
import { installed } from './installed.ts';
import { startServer } from './start-server.ts';

const bareProxy = '@fastify/http-proxy, which checks nothing';
const untouched = 'Next';
const translated = 'Deprecated, two steps back';

const order = {
  id: 'ord-1',
  customer: 'Ada',
  lines: [{ sku: 'umbrella', quantity: 2 }],
  total: { amount: '25.00', currency: 'EUR' },
  state: 'placed',
};

const UPSTREAM = `
  import Fastify from 'fastify';
  const app = Fastify();
  app.get('/orders/:id', async () => (${JSON.stringify(order)}));
  await app.listen({ port: 0, host: '127.0.0.1' });
  console.log(app.server.address().port);
`;

const proxy = (upstream: string): string => `
  import Fastify from 'fastify';
  import httpProxy from '@fastify/http-proxy';
  const app = Fastify();
  app.register(httpProxy, { upstream: '${upstream}' });
  await app.listen({ port: 0, host: '127.0.0.1' });
  console.log(app.server.address().port);
`;

export const bench: Bench = {
  name: 'upstream',
  description: `reading an order of an API folder over ${CONNECTIONS} connections, same Fastify upstream, tokens on PostgreSQL`,
  ratios: [
    [untouched, bareProxy],
    [translated, untouched],
  ],
  latencies: [untouched],
  async prepare() {
    const { deprecated, next } = createVersions(systemClock).lifecycle();
    const peers = installed('http-proxy', ['@fastify/http-proxy@11', 'fastify@5']);
    const postgres = await startPostgresServer();
    await runSql(`${postgres.url}/postgres`, 'create database bench_upstream');
    const upstream = await startServer(['--input-type=module', '--eval', UPSTREAM]);
    const bare =
      peers !== null &&
      (await startServer(['--input-type=module', '--eval', proxy(upstream.url)], { cwd: peers }));
    const { folder, dataDir } = ordersAt(upstream.url);
    const service = spawnDateline(['serve', '--api', folder], {
      env: { DATELINE_DATA_DIR: dataDir, DATABASE_URL: `${postgres.url}/bench_upstream` },
      ignoreLog: true,
    });
    const { sandbox } = await service.ready();
    const { access_token: token } = JSON.parse(
      readFileSync(join(dataDir, 'quickstart.json'), 'utf8'),
    ).sandbox;
    const read = (name: string, version: string) =>
      caller(name, `${sandbox}/orders/ord-1`, {
        headers: { authorization: `Bearer ${token}`, 'service-version': version },
        expects: '"id":"ord-1"',
      });
    return {
      contenders: [
        read(untouched, next),
        read(translated, deprecated),
        ...(bare ? [caller(bareProxy, `${bare.url}/orders/ord-1`, { expects: '"id":"ord-1"' })] : []),
      ],
      async close() {
        service.child.kill();
        await service.exit;
        if (bare) await bare.stop();
        await upstream.stop();
        await postgres.stop();
        rmSync(folder, { recursive: true, force: true });
        rmSync(dataDir, { recursive: true, force: true });
      },
    };
  },
};

/** The example, with this upstream behind its sandbox. */
function ordersAt(upstream: string): { folder: string; dataDir: string } {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-bench-orders-'));
  cpSync('examples/orders', folder, { recursive: true });
  const path = join(folder, 'dateline.config.mjs');
  writeFileSync(path, readFileSync(path, 'utf8').replace(/sandbox: .*,/, `sandbox: '${upstream}',`));
  return { folder, dataDir: mkdtempSync(join(tmpdir(), 'dateline-bench-')) };
}
