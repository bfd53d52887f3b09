import type { Chore } from '../environments/chore.ts';
import type { Scene } from '../environments/environment.ts';
import { pause, repeat } from '../kernel/repeat.ts';

export interface HouseOptions {
  /** Its clock decides what is old. */
  scene: Scene;
  chores: readonly Chore[];
  onRemoved(table: string, rows: number): void;
  onTrouble(chore: string, error: unknown): void;
}

const ROUND_MS = 60_000;
// Between two batches others have the database to themselves.
const PAUSE_MS = 50;
// One kind of row that piles up must not delay the removal of the others.
const BATCHES_MAX = 200;

/**
 * Does the chores of all rooms periodically, in short transactions that wait for no lock. All nodes may do so at the same
 * time: each skips rows that another one is removing. Returns a function that stops it.
 */
export function keepHouse({
  roundMs = ROUND_MS,
  ...options
}: HouseOptions & { roundMs?: number }): () => Promise<void> {
  return repeat((signal) => cleanUp(options, signal), {
    // Spreads the rounds of nodes that were started together.
    everyMs: () => roundMs * (0.5 + Math.random()),
    onTrouble: (error) => options.onTrouble('round', error),
  });
}

/** One round: every chore until nothing is left to do, or enough for now. */
export async function cleanUp(
  options: HouseOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  for (const chore of options.chores) {
    try {
      await doChore(chore, options, signal);
    } catch (error) {
      options.onTrouble(chore.name, error);
    }
  }
}

async function doChore(chore: Chore, { scene, onRemoved }: HouseOptions, signal: AbortSignal): Promise<void> {
  for (let batch = 0; batch < BATCHES_MAX && !signal.aborted; batch += 1) {
    const now = scene.clock.now();
    const { rows, more } = await scene.transaction((inside) => chore.removeSome(inside, now));
    for (const [table, count] of Object.entries(rows)) if (count > 0) onRemoved(table, count);
    if (!more || !(await pause(PAUSE_MS, signal))) return;
  }
}
