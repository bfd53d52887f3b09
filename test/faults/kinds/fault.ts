import type { Cast } from '../clients/cast.ts';
import type { History, NodeName, Operation } from '../clients/history.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { Random } from '../seeded/random.ts';

/** What a fault is done to. */
export interface World {
  deployment: Deployment;
  cast: Cast;
  history: History;
  /** The name of the node, worker, receiver or slot that it is aimed at. */
  target: string;
  /** Hears of what could not be done. */
  onError(what: string): void;
}

/** A fault that has begun. */
export interface Injected {
  /** Whose requests meet it. */
  nodes: readonly NodeName[];
  /** Which of them, where not all do. */
  meets?: (operation: Operation) => boolean;
  /** What it did itself, where requests of clients alone do not show it: a statement that was struck, a worker. */
  wasMet?: () => boolean;
  /** How long it lasts, unless it is over at once. */
  lastsMs?: number;
  /** Puts right what the service cannot: whatever the fault took away from it. */
  heal(): Promise<unknown> | unknown;
}

/** Parts of the service that have to work again after a fault. */
export type Recovers = 'requests' | 'deliveries' | 'upstream';

/** Faults of different things may overlap; two of the same thing do not, and one of everything stands alone. */
export type Aim = 'node' | 'worker' | 'receiver' | 'upstream' | 'cluster' | 'everything';

export interface FaultKind {
  /** What happens, in words of the table. */
  name: string;
  on: Aim;
  /** Only these, where not every one will do. */
  targets?: readonly string[];
  /** How often it is drawn, compared with others. */
  weight: number;
  recovers: readonly Recovers[];
  /** Only where a deployment has what it needs. */
  needs?: 'small disks' | 'readers';
  /** How long beginning or healing it may take, where that is much. */
  stepMs?: number;
  begin(world: World, random: Random): Promise<Injected> | Injected;
}
