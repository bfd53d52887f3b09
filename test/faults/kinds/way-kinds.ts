import { NODES, type NodeName } from '../clients/history.ts';
import type { PostgresWay } from '../wire/postgres-way.ts';
import type { FaultKind } from './fault.ts';

/** Cuts, delays and silence between one node and PostgreSQL. */
export const wayKinds: readonly FaultKind[] = [
  onWay('the connections of a node are cut', 1, (way) => way.cut(), [20, 60]),
  onWay('a node is refused new connections, and loses those that it has', 0.8, refuseAll, [600, 2_000]),
  onWay('all between a node and PostgreSQL is late', 0.8, (way) => way.delay(120), [800, 2_500]),
  onWay('nothing of a node reaches PostgreSQL for a while', 0.8, (way) => way.hold('toServer'), [600, 2_500]),
  onWay('nothing of PostgreSQL reaches a node for a while', 0.8, (way) => way.hold('toClient'), [600, 2_500]),
  onWay('the connections of a node are half-open', 0.4, (way) => way.halfOpen(), [300, 600]),
  onWay(
    'a node’s way to PostgreSQL is silent, for new connections too',
    0.4,
    (way) => way.silence(),
    [1_000, 3_000],
  ),
  onWay('the connections of a node are cut three times in a row', 0.7, cutAgain, [700, 800]),
  {
    name: 'the connections of all nodes are cut at once',
    on: 'everything',
    weight: 0.8,
    recovers: ['requests'],
    begin({ deployment }) {
      for (const { way } of deployment.nodes) way.cut();
      return { nodes: NODES, lastsMs: 50, heal() {} };
    },
  },
  {
    name: 'the connections of a worker are cut',
    on: 'worker',
    weight: 0.6,
    recovers: ['deliveries'],
    begin({ deployment, target }) {
      const { way } = deployment.workerOf(target);
      const wasMet = way.connections() > 0;
      way.cut();
      return { nodes: [], wasMet: () => wasMet, lastsMs: 30, heal() {} };
    },
  },
  {
    name: 'a worker’s way to PostgreSQL is held up',
    on: 'worker',
    weight: 0.6,
    recovers: ['deliveries'],
    begin({ deployment, target }, random) {
      const { way } = deployment.workerOf(target);
      way.hold(random.pick(['toServer', 'toClient'] as const));
      return {
        nodes: [],
        wasMet: () => way.connections() > 0,
        lastsMs: random.between(800, 2_000),
        heal: way.resume,
      };
    },
  },
];

type Does = (way: PostgresWay) => void | Promise<void>;

function onWay(name: string, weight: number, does: Does, span: readonly [number, number]): FaultKind {
  return {
    name,
    on: 'node',
    weight,
    recovers: ['requests'],
    async begin({ deployment, target }, random) {
      const node = deployment.nodeOf(target as NodeName);
      await does(node.way);
      return { nodes: [node.name], lastsMs: random.between(...span), heal: node.way.resume };
    },
  };
}

async function refuseAll(way: PostgresWay): Promise<void> {
  await way.refuse();
  way.cut();
}

const AGAIN_MS = 250;

function cutAgain(way: PostgresWay): void {
  for (const times of [0, 1, 2]) setTimeout(way.cut, times * AGAIN_MS);
}
