import { NODES, type NodeName } from '../clients/history.ts';
import type { DatelineProcess } from '../deployment/dateline-process.ts';
import type { Random } from '../seeded/random.ts';
import type { FaultKind, Injected } from './fault.ts';

/** Kills, freezes and restarts of nodes and workers. */
export const processKinds: readonly FaultKind[] = [
  onNode('a node is killed with -9', 0.8, ({ kill }) => kill(), [200, 400]),
  onNode('a node is restarted in order', 0.6, ({ restart }) => restart(), [600, 900]),
  onNode('a node is frozen for a while', 1, ({ freeze }) => freeze(), [800, 2_500]),
  onNode(
    'a node is frozen for longer than clients and leases wait',
    0.5,
    ({ freeze }) => freeze(),
    [8_000, 9_500],
  ),
  {
    name: 'a node is frozen, and killed before it wakes up',
    on: 'node',
    weight: 0.6,
    recovers: ['requests'],
    begin({ deployment, target }, random) {
      const { name, process } = deployment.nodeOf(target as NodeName);
      process.freeze();
      return { nodes: [name], lastsMs: random.between(500, 1_200), heal: process.kill };
    },
  },
  {
    name: 'all nodes are killed with -9 at once',
    on: 'everything',
    weight: 0.3,
    recovers: ['requests', 'deliveries'],
    begin({ deployment }) {
      for (const { process } of deployment.nodes) process.kill();
      return { nodes: NODES, lastsMs: 300, heal() {} };
    },
  },
  {
    name: 'all nodes are frozen at once',
    on: 'everything',
    weight: 0.5,
    recovers: ['requests', 'deliveries'],
    begin({ deployment }, random) {
      for (const { process } of deployment.nodes) process.freeze();
      return {
        nodes: NODES,
        lastsMs: random.between(500, 1_500),
        heal() {
          for (const { process } of deployment.nodes) process.thaw();
        },
      };
    },
  },
  onWorker('a worker is killed with -9', 0.8, ({ kill }) => kill(), [100, 300]),
  onWorker('a worker is restarted in order', 0.7, ({ restart }) => restart(), [300, 500]),
  onWorker('a worker is frozen for a while', 0.8, ({ freeze }) => freeze(), [800, 2_500]),
  onWorker(
    'a worker is frozen until its leases have run out',
    0.4,
    ({ freeze }) => freeze(),
    [11_000, 12_000],
  ),
  {
    name: 'both workers are killed with -9 at once',
    on: 'worker',
    targets: ['both'],
    weight: 0.4,
    recovers: ['deliveries'],
    begin({ deployment }) {
      for (const { process } of deployment.workers) process.kill();
      return { nodes: [], wasMet: () => true, lastsMs: 300, heal() {} };
    },
  },
];

type Does = (process: DatelineProcess) => void;
type Span = readonly [least: number, most: number];

function onNode(name: string, weight: number, does: Does, span: Span): FaultKind {
  return {
    name,
    on: 'node',
    weight,
    recovers: ['requests'],
    begin({ deployment, target }, random): Injected {
      const { name: node, process } = deployment.nodeOf(target as NodeName);
      does(process);
      return { nodes: [node], lastsMs: random.between(...span), heal: process.thaw };
    },
  };
}

/** Events are on their way all the time, so a worker that holds endpoints is met by some. */
function onWorker(name: string, weight: number, does: Does, span: Span): FaultKind {
  return {
    name,
    on: 'worker',
    weight,
    recovers: ['deliveries'],
    async begin({ deployment, target }, random: Random): Promise<Injected> {
      const { process } = deployment.workerOf(target);
      const held = await deployment.leasesOf();
      does(process);
      return { nodes: [], wasMet: () => held > 0, lastsMs: random.between(...span), heal: process.thaw };
    },
  };
}
