import { NODES } from '../clients/history.ts';
import type { Cluster } from '../deployment/cluster.ts';
import { signal } from '../deployment/processes.ts';
import type { Random } from '../seeded/random.ts';
import type { FaultKind, Injected } from './fault.ts';

/** Replication to the synchronous standby, which commits wait for, and to the other one. */
export const standbyKinds: readonly FaultKind[] = [
  onStandby('the link to the synchronous standby is cut', async ({ sync }) => {
    sync.link.cut();
    return { heal() {}, lastsMs: 50 };
  }),
  onStandby('the synchronous standby cannot reach the primary', async ({ sync }, random) => {
    await sync.link.refuse();
    sync.link.cut();
    return { heal: sync.link.resume, lastsMs: random.between(500, 1_800) };
  }),
  onStandby('nothing of the primary reaches the synchronous standby', async ({ sync }, random) => {
    sync.link.hold('toClient');
    return { heal: sync.link.resume, lastsMs: random.between(500, 2_000) };
  }),
  onStandby('nothing of the synchronous standby reaches the primary', async ({ sync }, random) => {
    sync.link.hold('toServer');
    return { heal: sync.link.resume, lastsMs: random.between(500, 2_000) };
  }),
  onStandby('replication to the synchronous standby is late', async ({ sync }, random) => {
    sync.link.delay(random.between(60, 150));
    return { heal: sync.link.resume, lastsMs: random.between(800, 2_000) };
  }),
  onStandby(
    'the link to the synchronous standby is half-open',
    async ({ sync }) => {
      sync.link.halfOpen();
      return { heal() {}, lastsMs: 200 };
    },
    0.4,
  ),
  onStandby('the synchronous standby is killed with -9', async ({ sync }) => {
    await sync.standby?.crash();
    return { heal() {}, lastsMs: 100 };
  }),
  onStandby('the synchronous standby is restarted', async ({ sync }) => {
    await sync.standby?.end('SIGINT');
    return { heal: () => sync.standby?.start(), lastsMs: 300 };
  }),
  onStandby('the synchronous standby is frozen', async ({ sync }, random) => {
    await sync.standby?.freeze();
    return { heal: () => sync.standby?.thaw(), lastsMs: random.between(600, 2_000) };
  }),
  onStandby('the sender of the primary is frozen', async ({ primary }, random) => {
    const senders = (await primary.processes()).filter(({ command }) => /: walsender/.test(command));
    for (const { pid } of senders) signal(pid, 'SIGSTOP');
    return {
      lastsMs: random.between(500, 1_500),
      heal() {
        for (const { pid } of senders) signal(pid, 'SIGCONT');
      },
    };
  }),
  onStandby('the senders of the primary are terminated', async ({ primary }) => {
    await primary.sql('select pg_terminate_backend(pid) from pg_stat_replication');
    return { heal() {}, lastsMs: 50 };
  }),
  whileWaiting('waits for the standby are cancelled', 'pg_cancel_backend'),
  whileWaiting('waits for the standby are terminated', 'pg_terminate_backend'),
  {
    name: 'the connections of nodes are cut while their commits wait for the standby',
    on: 'cluster',
    weight: 0.7,
    recovers: ['requests'],
    async begin({ deployment }) {
      const { sync, primary } = deployment.cluster;
      sync.link.hold('toClient');
      const ends = Date.now() + 1_000;
      let cuts = 0;
      while (Date.now() < ends) {
        const waiting = await primary.sql(WAITING).catch(() => []);
        if (waiting.length === 0) continue;
        for (const { way } of deployment.nodes) way.cut();
        cuts += 1;
      }
      return { nodes: NODES, wasMet: () => cuts > 0, heal: sync.link.resume };
    },
  },
  onStandby('both standbys are frozen', async ({ slots }) => {
    for (const { standby } of slots) await standby?.freeze();
    return {
      lastsMs: 1_000,
      heal: () => Promise.all(slots.map(({ standby }) => standby?.thaw())),
    };
  }),
  // These are met only by those who read from it.
  onReaders('the asynchronous standby is killed with -9', async ({ async }) => {
    await async.standby?.crash();
    return { heal() {}, lastsMs: 100 };
  }),
  onReaders('the asynchronous standby is frozen', async ({ async }, random) => {
    await async.standby?.freeze();
    return { heal: () => async.standby?.thaw(), lastsMs: random.between(600, 3_000) };
  }),
  onReaders('the asynchronous standby lags behind', async ({ async }, random) => {
    async.link.hold('toClient');
    return { heal: async.link.resume, lastsMs: random.between(600, 3_000) };
  }),
  onReaders('the asynchronous standby is cut off from the primary', async ({ async }, random) => {
    await async.link.refuse();
    async.link.cut();
    return { heal: async.link.resume, lastsMs: random.between(600, 3_000) };
  }),
  onReaders('the replay of both standbys is paused', async ({ slots }, random) => {
    for (const { standby } of slots) await standby?.sql('select pg_wal_replay_pause()');
    return {
      lastsMs: random.between(600, 3_000),
      heal: () => Promise.all(slots.map(({ standby }) => standby?.sql('select pg_wal_replay_resume()'))),
    };
  }),
  onReaders('what readers ask of a standby is cut', async ({ slots }, random) => {
    for (const way of random.pick(slots).ways) way.cut();
    return { heal() {}, lastsMs: 50 };
  }),
  onReaders('standbys answer readers late', async ({ slots }, random) => {
    const ways = slots.flatMap((slot) => slot.ways);
    for (const way of ways) way.delay(random.between(100, 900));
    return {
      lastsMs: random.between(1_000, 3_000),
      heal: () => Promise.all(ways.map((way) => way.resume())),
    };
  }),
  onReaders('standbys are silent to readers', async ({ slots }, random) => {
    const { ways } = random.pick(slots);
    for (const way of ways) way.silence();
    return {
      lastsMs: random.between(1_000, 2_500),
      heal: () => Promise.all(ways.map((way) => way.resume())),
    };
  }),
  {
    name: 'the leases of a reader run out: it does not reach the primary, and its standbys answer',
    on: 'node',
    targets: ['b', 'c'],
    needs: 'readers',
    weight: 0.8,
    recovers: ['requests'],
    begin({ deployment, target }, random) {
      const { name, way } = deployment.nodeOf(target as 'b' | 'c');
      way.hold(random.pick(['toServer', 'toClient'] as const));
      return { nodes: [name], lastsMs: random.between(2_500, 4_000), heal: way.resume };
    },
  },
  {
    name: 'the leases of a reader run out while its standbys lag behind',
    on: 'cluster',
    needs: 'readers',
    weight: 0.8,
    recovers: ['requests'],
    async begin({ deployment }, random) {
      const { slots } = deployment.cluster;
      const { name, way } = random.pick(deployment.nodes.filter(({ readWays }) => readWays.length > 0));
      for (const { standby } of slots) await standby?.sql('select pg_wal_replay_pause()');
      // Last: where the pauses fail, nothing would heal it.
      way.hold('toServer');
      return {
        nodes: [name],
        lastsMs: random.between(3_500, 5_000),
        async heal() {
          for (const { standby } of slots) await standby?.sql('select pg_wal_replay_resume()');
          await way.resume();
        },
      };
    },
  },
];

const WAITING = "select pid from pg_stat_activity where wait_event = 'SyncRep'";

type Begun = Pick<Injected, 'heal' | 'lastsMs'>;
type Does = (cluster: Cluster, random: Random) => Promise<Begun>;

function onStandby(name: string, does: Does, weight = 0.6): FaultKind {
  return {
    name,
    on: 'cluster',
    weight,
    recovers: ['requests'],
    begin: async ({ deployment }, random) => ({ nodes: NODES, ...(await does(deployment.cluster, random)) }),
  };
}

function onReaders(name: string, does: Does): FaultKind {
  return {
    ...onStandby(name, does, 0.8),
    needs: 'readers',
    begin: async ({ deployment }, random) => ({
      nodes: ['b', 'c'],
      meets: ({ what }) => what === 'introspect' || what === 'call' || what === 'revoke',
      ...(await does(deployment.cluster, random)),
    }),
  };
}

/** Commits are kept waiting, and their waits ended one after the other. */
function whileWaiting(name: string, ends: 'pg_cancel_backend' | 'pg_terminate_backend'): FaultKind {
  return {
    name,
    on: 'cluster',
    weight: 0.7,
    recovers: ['requests'],
    async begin({ deployment }, random) {
      const { sync, primary } = deployment.cluster;
      sync.link.hold('toClient');
      const untilMs = Date.now() + random.between(500, 1_200);
      let ended = 0;
      while (Date.now() < untilMs)
        ended += (
          await primary
            .sql(`select ${ends}(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
            .catch(() => [])
        ).length;
      return { nodes: NODES, wasMet: () => ended > 0, heal: sync.link.resume };
    },
  };
}
