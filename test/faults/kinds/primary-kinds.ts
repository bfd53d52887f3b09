import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { NODES } from '../clients/history.ts';
import { type PostgresInstance, SUPERUSER } from '../deployment/postgres-instance.ts';
import { signal } from '../deployment/processes.ts';
import type { Random } from '../seeded/random.ts';
import type { FaultKind, Injected, World } from './fault.ts';

/** What happens to the primary and in it. */
export const primaryKinds: readonly FaultKind[] = [
  onPrimary('the primary is killed with -9, all of its processes', 0.6, async ({ primary }) => {
    await primary.crash();
    return { heal() {}, lastsMs: 100 };
  }),
  onPrimary('the primary is restarted (fast)', 0.6, async ({ primary }) => {
    await primary.end('SIGINT');
    return { heal: primary.start, lastsMs: 300 };
  }),
  onPrimary('the primary is stopped at once (immediate)', 0.6, async ({ primary }, random) => {
    await primary.end('SIGQUIT');
    return { heal: primary.start, lastsMs: random.between(100, 1_500) };
  }),
  onPrimary('a process of the primary is killed with -9', 0.6, async ({ primary }, random) => {
    const backends = await processesOf(primary, / dateline dateline /);
    const { pid } = random.pick(backends);
    signal(pid, 'SIGKILL');
    return { heal() {}, lastsMs: 100 };
  }),
  onPrimary('the primary is frozen, all of its processes', 0.8, async ({ primary }, random) => {
    await primary.freeze();
    return { heal: primary.thaw, lastsMs: random.between(600, 2_500) };
  }),
  onPrimary('single processes of the primary are frozen', 0.8, async ({ primary }, random) => {
    const backends = random.shuffled(await processesOf(primary, / dateline dateline /)).slice(0, 4);
    for (const { pid } of backends) signal(pid, 'SIGSTOP');
    return {
      lastsMs: random.between(600, 2_000),
      heal() {
        for (const { pid } of backends) signal(pid, 'SIGCONT');
      },
    };
  }),
  onPrimary('the writers of the primary are frozen (checkpointer, wal writer)', 0.6, async ({ primary }) => {
    const writers = await processesOf(primary, /: (checkpointer|walwriter|background writer)/);
    for (const { pid } of writers) signal(pid, 'SIGSTOP');
    return {
      lastsMs: 1_500,
      heal() {
        for (const { pid } of writers) signal(pid, 'SIGCONT');
      },
    };
  }),
  onPrimary('all connections are terminated by an operator', 0.8, async ({ primary }) => {
    await primary.sql(`select pg_terminate_backend(pid) ${OURS}`);
    return { heal() {}, lastsMs: 30 };
  }),
  onPrimary('what runs is cancelled by an operator, again and again', 0.8, async ({ primary }) => {
    const ends = Date.now() + 800;
    while (Date.now() < ends)
      await primary.sql(`select pg_cancel_backend(pid) ${OURS} and state = 'active'`).catch(() => {});
    return { heal() {} };
  }),
  onPrimary('transactions are terminated while they are open', 0.8, async ({ primary }) => {
    const ends = Date.now() + 800;
    while (Date.now() < ends)
      await primary
        .sql(`select pg_terminate_backend(pid) ${OURS} and xact_start is not null`)
        .catch(() => {});
    return { heal() {} };
  }),
  onPrimary('the server has no connection left', 0.6, async ({ primary }, random) => {
    const clients = await takeAll(primary);
    // Whoever has one loses it, and finds none.
    await primary.sql(`select pg_terminate_backend(pid) ${OURS}`).catch(() => {});
    clients.push(...(await takeAll(primary)));
    return {
      lastsMs: random.between(600, 1_800),
      heal: () => Promise.all(clients.map((client) => client.end().catch(() => {}))),
    };
  }),
  holding(
    'the table of tokens is locked',
    'lock table dateline_sandbox.oauth_tokens in access exclusive mode',
  ),
  holding(
    'the table of grants is locked against changes',
    'lock table dateline_sandbox.oauth_grants in exclusive mode',
  ),
  holding(
    'the table of clients is locked',
    'lock table dateline_sandbox.oauth_clients in access exclusive mode',
  ),
  holding('the rows of all grants are locked', 'select 1 from dateline_sandbox.oauth_grants for update'),
  holding(
    'what endpoints are told of is locked',
    'lock table dateline_sandbox.webhook_events in exclusive mode',
    ['deliveries'],
  ),
  onPrimary(
    'the disk of the primary is full',
    0.5,
    async ({ primary }) => {
      await primary.disk.fill();
      await grow(primary);
      return { heal: primary.disk.empty, lastsMs: 1_200 };
    },
    'small disks',
  ),
  onPrimary(
    'the disk of the primary is full, and the write-ahead log needs more',
    0.5,
    async ({ primary }) => {
      await primary.disk.fill();
      for (let switches = 0; switches < 4; switches += 1)
        await primary
          .sql("select pg_logical_emit_message(false, 'faults', repeat('x', 1000000)), pg_switch_wal()")
          .catch(() => {});
      return { heal: primary.disk.empty, lastsMs: 1_500 };
    },
    'small disks',
  ),
  onPrimary('a checkpoint is forced while all writes go on', 0.5, async ({ primary }) => {
    await primary.sql('checkpoint');
    await primary.sql('select pg_switch_wal()');
    return { heal() {}, lastsMs: 50 };
  }),
];

const OURS = "from pg_stat_activity where usename = 'dateline' and backend_type = 'client backend'";

type Begun = Pick<Injected, 'heal' | 'lastsMs'>;

function onPrimary(
  name: string,
  weight: number,
  does: (cluster: World['deployment']['cluster'], random: Random) => Promise<Begun>,
  needs?: 'small disks',
): FaultKind {
  return {
    name,
    on: 'cluster',
    weight,
    recovers: ['requests', 'deliveries'],
    ...(needs ? { needs } : {}),
    begin: async ({ deployment }, random) => ({ nodes: NODES, ...(await does(deployment.cluster, random)) }),
  };
}

async function processesOf(server: PostgresInstance, pattern: RegExp) {
  return (await server.processes()).filter(({ command }) => pattern.test(command));
}

/** A transaction of somebody else that holds a lock for a while. */
function holding(name: string, sql: string, recovers: FaultKind['recovers'] = ['requests']): FaultKind {
  return {
    name,
    on: 'cluster',
    weight: 0.8,
    recovers,
    async begin({ deployment }, random) {
      const client = await connect(deployment.cluster.primary);
      await client.query('begin');
      // It waits for its turn behind those that hold it now.
      await client.query(sql);
      return {
        nodes: NODES,
        lastsMs: random.between(500, 2_000),
        heal: () => client.end().catch(() => {}),
      };
    },
  };
}

async function connect({ port }: PostgresInstance): Promise<pg.Client> {
  const { name: user, password } = SUPERUSER;
  const client = new pg.Client({
    ...{ host: '127.0.0.1', port, user, password, database: 'dateline' },
    ...{ connectionTimeoutMillis: 2_000, query_timeout: 20_000 },
  });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Takes connections until there are no more for anybody but the superuser, who has three of his own. */
async function takeAll(server: PostgresInstance): Promise<pg.Client[]> {
  const taken: pg.Client[] = [];
  for (let round = 0; round < 40; round += 1) {
    const more = await Promise.allSettled(Array.from({ length: 8 }, () => connect(server)));
    const got = more.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    taken.push(...got);
    if (got.length < more.length) break;
  }
  // One for whoever gives them back.
  await taken.pop()?.end();
  return taken;
}

/** Tables ask for new pages. */
async function grow(server: PostgresInstance): Promise<void> {
  await server
    .sql(
      'create table if not exists faults as select repeat(md5(i::text), 100) from generate_series(1, 10000) i',
    )
    .catch(() => {});
  await pause(100);
}
