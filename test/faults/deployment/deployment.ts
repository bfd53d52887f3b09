import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../support/database/free-port.ts';
import { type PgBouncer, startPgBouncer } from '../../support/database/pgbouncer.ts';
import { type Arrival, NODES, type NodeName } from '../clients/history.ts';
import type { PostgresWay } from '../wire/postgres-way.ts';
import { type Cluster, startCluster, throughWay } from './cluster.ts';
import { type DatelineProcess, startDateline } from './dateline-process.ts';
import { type Receiver, startReceiver } from './receivers.ts';
import { startUpstream, type Upstream } from './start-upstream.ts';

/** The one switch: whether `b` and `c` read from standbys. */
export const READS_FROM_STANDBYS: boolean = true;

export interface ServingNode {
  readonly name: NodeName;
  readonly url: string;
  readonly process: DatelineProcess;
  /** To the primary; of `b`, from PgBouncer on. */
  readonly way: PostgresWay;
  /** Its ways to standbys, by their slots; none where it does not read from them. */
  readonly readWays: readonly PostgresWay[];
}

export interface WorkerNode {
  readonly name: 'w1' | 'w2';
  readonly process: DatelineProcess;
  readonly way: PostgresWay;
}

export interface Deployment {
  readonly folder: string;
  readonly cluster: Cluster;
  readonly nodes: readonly ServingNode[];
  readonly workers: readonly WorkerNode[];
  readonly bouncer: PgBouncer;
  readonly upstream: Upstream;
  readonly receivers: readonly Receiver[];
  /** For the harness itself; it leads to the primary. */
  readonly ownWay: PostgresWay;
  readonly operatorKey: string;
  /** Runs a command of Dateline as an operator does beside the first node. Throws if it fails. */
  command(args: readonly string[]): Promise<void>;
  readonly checkout: string;
  nodeOf(name: NodeName): ServingNode;
  workerOf(name: string): WorkerNode;
  /** How many endpoints workers have leased at the moment. */
  leasesOf(): Promise<number>;
  close(keepFolder: boolean): Promise<void>;
}

export interface DeploymentOptions {
  /** The tree whose build runs: this one, or a copy with a lie in it. */
  checkout: string;
  arrivals: Arrival[];
}

const RECEIVERS = ['r1', 'r2', 'r3'];
const POOL = '6';
const BOUNCER_POOL = 10;
const COMMAND_MS = 120_000;

const run = promisify(execFile);

export async function startDeployment({ checkout, arrivals }: DeploymentOptions): Promise<Deployment> {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-faults-'));
  // PostgreSQL runs as another user where this runs as root.
  chmodSync(folder, 0o755);
  const upstream = await startUpstream(folder);
  const receivers = await Promise.all(RECEIVERS.map((name) => startReceiver(name, arrivals)));
  const cluster = await startCluster(folder);
  const ownWay = await cluster.newWay();
  const shared = {
    DATELINE_SECRET_KEY: randomBytes(32).toString('base64'),
    DATELINE_API: copyApi(folder, upstream.url),
    DATELINE_LOG_LEVEL: 'warn',
    DATELINE_DATABASE_POOL: POOL,
    DATELINE_REQUEST_SECONDS: '10',
    DATELINE_SHUTDOWN_SECONDS: '3',
    DATELINE_CODE_SECONDS: '600',
    DATELINE_WEBHOOK_ENDPOINTS_MAX: '100000',
    DATELINE_DELIVER: 'off',
  };
  const bouncerWay = await cluster.newWay();
  const bouncer = await startPgBouncer(await bouncerProgram(), throughWay(bouncerWay), {
    poolSize: BOUNCER_POOL,
  });

  async function startNode(name: NodeName): Promise<ServingNode> {
    const direct = await cluster.newWay();
    const way = name === 'b' ? bouncerWay : direct;
    const database =
      name === 'b'
        ? { DATABASE_URL: bouncer.through(throughWay(way)), DATABASE_DIRECT_URL: throughWay(direct) }
        : { DATABASE_URL: throughWay(way) };
    const readWays =
      READS_FROM_STANDBYS && name !== 'a'
        ? await Promise.all(cluster.slots.map((slot) => cluster.newWayTo(slot)))
        : [];
    const reads = readWays.length > 0 ? { DATABASE_READ_URLS: readWays.map(throughWay).join(',') } : {};
    const [production, sandbox] = [await freePort(), await freePort()];
    const ports = { DATELINE_PORT: String(production), DATELINE_SANDBOX_PORT: String(sandbox) };
    const url = `http://127.0.0.1:${sandbox}`;
    const process = startDateline({
      name,
      args: ['serve'],
      env: { ...shared, ...database, ...reads, ...ports, DATELINE_DATA_DIR: dataOf(folder, name) },
      folder,
      checkout,
      readyUrl: `${url}/readyz`,
    });
    return { name, url, process, way, readWays };
  }

  async function startWorker(name: 'w1' | 'w2'): Promise<WorkerNode> {
    const way = await cluster.newWay();
    const port = await freePort();
    const process = startDateline({
      name,
      args: ['worker'],
      env: {
        ...shared,
        DATABASE_URL: throughWay(way),
        DATELINE_WORKER_PORT: String(port),
        DATELINE_DATA_DIR: dataOf(folder, name),
      },
      folder,
      checkout,
      readyUrl: `http://127.0.0.1:${port}/readyz`,
    });
    return { name, process, way };
  }

  // The first one migrates, and writes down the keys.
  const first = await startNode('a');
  await first.process.untilReady();
  const others = await Promise.all(NODES.filter((name) => name !== 'a').map(startNode));
  const nodes = [first, ...others];
  const workers = await Promise.all((['w1', 'w2'] as const).map(startWorker));
  await Promise.all([...others, ...workers].map(({ process }) => process.untilReady()));
  const { sandbox } = JSON.parse(readFileSync(join(dataOf(folder, 'a'), 'quickstart.json'), 'utf8'));
  return {
    folder,
    cluster,
    nodes,
    workers,
    bouncer,
    upstream,
    receivers,
    ownWay,
    operatorKey: sandbox.operator_key,
    async command(args) {
      await run(process.execPath, [resolve(checkout, 'bin/dateline.mjs'), ...args], {
        env: { PATH: process.env.PATH ?? '', ...first.process.env, DATABASE_URL: throughWay(ownWay) },
        cwd: folder,
        timeout: COMMAND_MS,
      });
    },
    checkout,
    workerOf: (name) => workers.find((worker) => worker.name === name) as WorkerNode,
    async leasesOf() {
      const lanes = await cluster.primary
        .sql('select 1 from dateline_sandbox.webhook_lanes where leased_until > now()')
        .catch(() => []);
      return lanes.length;
    },
    nodeOf: (name) => nodes.find((node) => node.name === name) as ServingNode,
    async close(keepFolder) {
      await Promise.all([...nodes, ...workers].map(({ process }) => process.stop()));
      await upstream.stop();
      for (const receiver of receivers) receiver.leave();
      await bouncer.stop();
      await cluster.close();
      if (!keepFolder) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function dataOf(folder: string, name: string): string {
  const data = join(folder, `data-${name}`);
  mkdirSync(data, { recursive: true });
  return data;
}

/** The example, whose upstream is ours. */
function copyApi(folder: string, upstreamUrl: string): string {
  const api = join(folder, 'orders');
  cpSync('examples/orders', api, { recursive: true });
  const config = join(api, 'dateline.config.mjs');
  const text = readFileSync(config, 'utf8')
    .replace(/production: .*,/, `production: 'http://127.0.0.1:9', timeoutSeconds: 4,`)
    .replace(/sandbox: .*,/, `sandbox: '${upstreamUrl}',`);
  writeFileSync(config, text);
  return api;
}

async function bouncerProgram(): Promise<string> {
  const { pathOf, programs } = (await import(resolve('tools', 'programs.mjs'))) as {
    pathOf(program: unknown): string | undefined;
    programs: { pgbouncer: unknown };
  };
  const path = pathOf(programs.pgbouncer);
  if (path === undefined) throw new Error('PgBouncer is missing: install it, or set PGBOUNCER_PATH.');
  return path;
}
