import { setTimeout as delay } from 'node:timers/promises';
import type { Scene } from '../environments/environment.ts';
import { type Chore, chores } from './chores.ts';

export interface HouseOptions {
  /** Its clock decides what is old. */
  scene: Scene;
  onRemoved(table: string, rows: number): void;
  onTrouble(chore: string, error: unknown): void;
  roundMs?: number;
}

const ROUND_MS = 60_000;
// Between two batches others have the database to themselves.
const PAUSE_MS = 50;
// One kind of row that piles up must not keep the others from leaving.
const BATCHES_MAX = 200;

/**
 * Lets old rows leave, again and again, in short transactions that wait for nobody. Every node may do so at the same
 * time: what one is removing, the others pass by. Answers with a function that stops it.
 */
export function keepHouse({ roundMs = ROUND_MS, ...options }: HouseOptions): () => Promise<void> {
  const stopping = new AbortController();
  const running = keepOn(options, roundMs, stopping.signal);
  return async () => {
    stopping.abort();
    await running;
  };
}

async function keepOn(options: HouseOptions, roundMs: number, signal: AbortSignal): Promise<void> {
  // Nodes that were started together do not come together.
  while (await paused(roundMs * (0.5 + Math.random()), signal)) await cleanUp(options, signal);
}

/** One round: every chore until nothing is left to do, or enough for now. */
export async function cleanUp(
  options: Omit<HouseOptions, 'roundMs'>,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  for (const chore of chores) {
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
    if (!more || !(await paused(PAUSE_MS, signal))) return;
  }
}

/** Whether the time has passed without anybody asking to stop. */
async function paused(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    return await delay(ms, true, { signal, ref: false });
  } catch {
    return false;
  }
}
