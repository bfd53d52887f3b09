import { NODES, type NodeName } from '../clients/history.ts';
import { setDatabaseClock } from '../deployment/database-clock.ts';
import type { FaultKind, World } from './fault.ts';
import { secretKey } from './secret-key.ts';

/** Clocks that step, and what operators do while all is in use. */
export const operatorKinds: readonly FaultKind[] = [
  databaseClock('the clock of the database is set on', [5, 30]),
  databaseClock('the clock of the database is set back', [-30, -5]),
  nodeClock('the clock of a node is set on', [5, 40]),
  nodeClock('the clock of a node is set back', [-40, -5]),
  {
    name: 'a migration changes the table of tokens',
    on: 'cluster',
    weight: 0.6,
    recovers: ['requests'],
    begin: (world) => migrate(world, 'oauth_tokens'),
  },
  {
    name: 'a migration changes the table of grants',
    on: 'cluster',
    weight: 0.6,
    recovers: ['requests'],
    begin: (world) => migrate(world, 'oauth_grants'),
  },
  {
    name: '`dateline migrate` runs',
    on: 'cluster',
    weight: 0.4,
    recovers: ['requests'],
    async begin({ deployment }) {
      await deployment.command(['migrate']);
      return { nodes: NODES, heal() {} };
    },
  },
  {
    name: 'an index is built anew, and tables are vacuumed',
    on: 'cluster',
    weight: 0.5,
    recovers: ['requests'],
    async begin({ deployment: { cluster } }) {
      await cluster.primary.sql('reindex table dateline_sandbox.oauth_tokens');
      await cluster.primary.sql('vacuum full dateline_sandbox.oauth_grants');
      return { nodes: NODES, heal() {} };
    },
  },
  operated('the signing keys are rotated', 0.7, (world) => world.cast.operate('signing-keys/rotate', {})),
  operated('the secret of the client is rotated', 0.7, (world) => world.cast.rotateSecret()),
  secretKey,
  {
    name: 'a release runs, and is taken back',
    on: 'cluster',
    weight: 0.4,
    recovers: ['requests', 'deliveries'],
    async begin({ cast }) {
      await cast.operate('release/run', {});
      return { nodes: NODES, lastsMs: 3_300, heal: () => cast.operate('release/undo', {}) };
    },
  },
];

function operated(name: string, weight: number, does: (world: World) => Promise<unknown>): FaultKind {
  return {
    name,
    on: 'cluster',
    weight,
    recovers: ['requests'],
    async begin(world) {
      await does(world);
      return { nodes: NODES, lastsMs: 200, heal() {} };
    },
  };
}

/** The clock of the whole deployment: nodes and workers go by it. */
function databaseClock(name: string, [least, most]: readonly [number, number]): FaultKind {
  return {
    name,
    on: 'cluster',
    weight: 0.6,
    recovers: ['requests', 'deliveries'],
    async begin({ deployment: { cluster } }, random) {
      await setDatabaseClock(cluster.primary, random.between(least, most));
      return {
        nodes: NODES,
        lastsMs: random.between(800, 2_000),
        heal: () => setDatabaseClock(cluster.primary, 0),
      };
    },
  };
}

function nodeClock(name: string, [least, most]: readonly [number, number]): FaultKind {
  return {
    name,
    on: 'node',
    weight: 0.7,
    recovers: ['requests'],
    begin({ deployment, target }, random) {
      const { name: node, process } = deployment.nodeOf(target as NodeName);
      process.shiftClock(random.between(least, most) * 1_000);
      return { nodes: [node], lastsMs: random.between(800, 2_000), heal: () => process.shiftClock(0) };
    },
  };
}

/** As ours do: with a limit for the lock, and tried again. Plans that are prepared have to be made anew. */
async function migrate({ deployment: { cluster } }: World, table: string) {
  const change = async (sql: string): Promise<void> => {
    for (let tries = 0; tries < 20; tries += 1)
      try {
        await cluster.primary.sql(`set lock_timeout = 1000; alter table dateline_sandbox.${table} ${sql}`);
        return;
      } catch {}
  };
  await change('add column if not exists faults integer default 1');
  return { nodes: NODES, lastsMs: 200, heal: () => change('drop column if exists faults') };
}
