import type { Chore } from '../environments/chore.ts';
import type { Context } from '../environments/environment.ts';
import { pause, repeat } from '../kernel/repeat.ts';

export interface HouseOptions {
  /** Its clock decides what is old. */
  context: Context;
  chores: readonly Chore[];
  onRemoved(table: string, rows: number): void;
  onError(chore: string, error: unknown): void;
  /** The pause after a batch that took so long, so that others have the database to themselves; by default none. */
  restMs?(tookMs: number): number;
}

const ROUND_MS = 60_000;

/**
 * Deletes expired rows of all rooms periodically, in small batches that wait for no row lock. One node does it at a
 * time. Returns a function that stops it.
 */
export function keepHouse({
  roundMs = ROUND_MS,
  ...options
}: HouseOptions & { roundMs?: number }): () => Promise<void> {
  return repeat((signal) => cleanUp(options, signal), {
    // Spreads the rounds of nodes that were started together.
    everyMs: () => roundMs * (0.5 + Math.random()),
    onError: (error) => options.onError('round', error),
  });
}

/**
 * One round: a batch of every chore in turn, until nothing is left to delete. A backlog of one kind of row delays no
 * other kind.
 */
export async function cleanUp(
  options: HouseOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  let left = options.chores.map((chore): Turn => ({ chore, after: null }));
  while (left.length > 0 && !signal.aborted) {
    const more: Turn[] = [];
    for (const turn of left) {
      if (signal.aborted) return;
      const beganAtMs = performance.now();
      const next = await takeTurn(turn, options);
      if (next === 'others do it') return;
      if (next) more.push(next);
      await pause(options.restMs?.(performance.now() - beganAtMs) ?? 0, signal);
    }
    left = more;
  }
}

interface Turn {
  chore: Chore;
  /** The position that the chore's previous batch returned. */
  after: unknown;
}

/** Returns the chore's next turn; null if it has nothing left to do or failed, until the next round. */
async function takeTurn(
  { chore, after }: Turn,
  { context, onRemoved, onError }: HouseOptions,
): Promise<Turn | null | 'others do it'> {
  try {
    const now = context.clock.now();
    const removed = await context.transaction(
      async (inside) =>
        (await inside.session.tryLock('housekeeping')) ? chore.removeSome(inside, now, after) : null,
      // What it removes has expired before, which a standby knows as well.
      { endsNoAccess: true },
    );
    if (removed === null) return 'others do it';
    for (const [table, count] of Object.entries(removed.rows)) if (count > 0) onRemoved(table, count);
    return removed.more ? { chore, after: removed.next ?? null } : null;
  } catch (error) {
    onError(chore.name, error);
    return null;
  }
}
