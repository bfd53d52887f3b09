import type { Environment } from '../environments/environment.ts';
import type { Backlog } from '../webhooks/oversight/store.ts';
import { buildIdOf, listNodes, type SeenNode } from './node-signs.ts';

/** Who delivers, and what waits for it. */
export interface DeliveryCondition {
  now: Date;
  backlog: Backlog;
  /** Live nodes that deliver. */
  delivering: readonly SeenNode[];
  /** Nodes that went without a word lately, and that no other process has replaced. */
  missing: readonly SeenNode[];
  /** Live workers that run what no serving node runs. */
  otherBuild: readonly SeenNode[];
}

/** The node that asks is named, since it lives whatever it has stored. */
export async function readDeliveryCondition(
  environment: Environment,
  nodeId: string,
  backlog: Backlog,
): Promise<DeliveryCondition> {
  const now = environment.clock.now();
  const nodes = await listNodes(environment, nodeId);
  const live = nodes.filter(({ state }) => state === 'live');
  return {
    now,
    backlog,
    delivering: live.filter(({ delivers }) => delivers === true),
    missing: nodes.filter((node) => isMissing(node, live, now)),
    otherBuild: live.filter((node) => isOtherBuild(node, live)),
  };
}

/** After that it was taken away on purpose, or somebody has seen it. */
const MISSING_MS = 3_600_000;

function isMissing(node: SeenNode, live: readonly SeenNode[], now: Date): boolean {
  if (node.state !== 'gone' || now.getTime() - node.seenAt.getTime() > MISSING_MS) return false;
  return !live.some((other) => replaces(other, node));
}

/** On the same machine, where a supervisor has started it again. */
function replaces(other: SeenNode, { kind, name, seenAt }: SeenNode): boolean {
  const isSameKind = other.kind === kind && machineOf(other.name) === machineOf(name);
  return isSameKind && other.startedAt !== null && other.startedAt >= seenAt;
}

function machineOf(name: string): string {
  return name.split(' ', 1)[0] ?? name;
}

/** While nodes are replaced one by one, both builds serve, and a worker may run either. */
function isOtherBuild(node: SeenNode, live: readonly SeenNode[]): boolean {
  const serving = live.filter(({ kind }) => kind === 'serve');
  return (
    node.kind === 'worker' &&
    serving.length > 0 &&
    serving.every((other) => buildIdOf(other) !== buildIdOf(node))
  );
}

/** The condition as numbers. */
export interface DeliveryFigures {
  eventsDue: number;
  oldestDueSeconds: number;
  oldestUntakenSeconds: number;
  workersLive: number;
  workersGone: number;
  workersOtherBuild: number;
}

export function deliveryFigures(condition: DeliveryCondition): DeliveryFigures {
  const { now, backlog, delivering, missing, otherBuild } = condition;
  return {
    eventsDue: backlog.due,
    oldestDueSeconds: secondsSince(backlog.oldestDueAt, now),
    oldestUntakenSeconds: secondsSince(backlog.oldestUntakenAt, now),
    workersLive: delivering.length,
    workersGone: missing.filter(({ delivers }) => delivers === true).length,
    workersOtherBuild: otherBuild.length,
  };
}

/** 0 for what never was. */
export function secondsSince(at: Date | null, now: Date): number {
  return at === null ? 0 : Math.max(0, (now.getTime() - at.getTime()) / 1000);
}
