import { NODES } from '../clients/history.ts';
import type { FaultKind } from '../kinds/fault.ts';
import type { Random } from '../seeded/random.ts';

/** What faults are aimed at, one at a time each. */
const TARGETS = {
  node: NODES,
  worker: ['w1', 'w2'],
  receiver: ['r1', 'r2', 'r3'],
  upstream: ['upstream'],
  cluster: ['cluster'],
  everything: ['everything'],
} as const;

/** So many things are disturbed or recover at the same time. */
const AT_ONCE_MAX = 4;
/** One node at least is left to answer. */
const NODES_AT_ONCE_MAX = 2;

export interface Locks {
  /** What a fault of this kind may be aimed at now; null where it has to wait. */
  take(kind: FaultKind, random: Random): string | null;
  giveBack(kind: FaultKind, target: string): void;
  /** How many are taken. */
  count(): number;
}

export function createLocks(): Locks {
  const taken = new Set<string>();
  const namesOf = (target: string): readonly string[] => (target === 'both' ? TARGETS.worker : [target]);

  function isFree(kind: FaultKind, target: string): boolean {
    if (taken.has('everything') || taken.size >= AT_ONCE_MAX) return false;
    if (kind.on === 'everything') return taken.size === 0;
    const nodes = NODES.filter((name) => taken.has(name)).length;
    if (kind.on === 'node' && nodes >= NODES_AT_ONCE_MAX) return false;
    return namesOf(target).every((name) => !taken.has(name));
  }

  return {
    take(kind, random) {
      const targets: readonly string[] = kind.targets ?? TARGETS[kind.on];
      const target = random.shuffled(targets).find((one) => isFree(kind, one));
      if (target === undefined) return null;
      for (const name of namesOf(target)) taken.add(name);
      return target;
    },
    giveBack(_kind, target) {
      for (const name of namesOf(target)) taken.delete(name);
    },
    count: () => taken.size,
  };
}
