import { type Chore, daysAgo, deletionChore } from '../environments/chore.ts';
import type { Environment } from '../environments/environment.ts';
import { repeat } from '../kernel/repeat.ts';
import { deleteNodes, type NodeSelf, type StoredNode, selectNodes, signNode, signNodeOff } from './store.ts';

export interface SignOptions {
  environment: Environment;
  self: NodeSelf;
  onError(error: unknown): void;
}

const EVERY_MS = 5_000;
/** Three signs: one may be late. */
export const GONE_AFTER_MS = 3 * EVERY_MS;
/** Rows that are older are not shown, and deleted. */
const KEPT_DAYS = 1;
/** Of more, the latest are shown: a process that is started again and again makes a row each time. */
const SHOWN_MAX = 1_000;

/** Lets others see that this process runs, until it is stopped; then it says so. Returns a function that stops it. */
export function leaveSigns({ environment, self, onError }: SignOptions): () => Promise<void> {
  const { session, clock } = environment;
  const startedAt = clock.now();
  const stop = repeat(() => signNode(session, self, { startedAt, at: clock.now() }), {
    everyMs: EVERY_MS,
    atOnce: true,
    onError,
  });
  return async () => {
    await stop();
    await signNodeOff(session, self.id, clock.now()).catch(onError);
  };
}

/** `gone`: it has left no sign lately, and has not said that it stops: it was killed, hangs, or cannot reach the database. */
export const nodeStates = ['live', 'gone', 'stopped'] as const;
export type NodeState = (typeof nodeStates)[number];

export interface SeenNode extends StoredNode {
  state: NodeState;
}

/** The nodes of the last day, the latest first. The one that asks lives, whatever it has stored. */
export async function listNodes({ session, clock }: Environment, selfId: string): Promise<SeenNode[]> {
  const now = clock.now();
  const stored = await selectNodes(session, daysAgo(now, KEPT_DAYS), SHOWN_MAX);
  return stored.map((node) => ({ ...node, state: node.id === selfId ? 'live' : stateOf(node, now) }));
}

function stateOf({ seenAt, stoppedAt }: StoredNode, now: Date): NodeState {
  if (stoppedAt !== null) return 'stopped';
  return now.getTime() - seenAt.getTime() < GONE_AFTER_MS ? 'live' : 'gone';
}

/** Null for a node of an older build. */
export function buildIdOf({ build }: StoredNode): string | null {
  return typeof build?.id === 'string' ? build.id : null;
}

/** Builds that tell this wait for who reads from standbys. */
export const AWAITS_READERS = { awaits_readers: true };

export function isOlderThanStandbyReads({ build }: StoredNode): boolean {
  return build?.awaits_readers !== true;
}

export const nodeChore: Chore = deletionChore('nodes', deleteNodes, KEPT_DAYS);
