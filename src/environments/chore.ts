import type { Scene } from './environment.ts';

/** Periodic work of a room: removes rows that are no longer needed, some at a time. */
export interface Chore {
  name: string;
  /** As much as fits into a short transaction. Skips rows that are locked. */
  removeSome(scene: Scene, now: Date): Promise<Removed>;
}

export interface Removed {
  /** How many rows of which table. */
  rows: Readonly<Record<string, number>>;
  /** Whether another round would find more. */
  more: boolean;
}

/** So few that a transaction stays short. */
export const CHORE_ROWS_MAX = 500;

/** A chore of one statement on one table. `remove` removes `limit` rows at most, and answers with how many. */
export function tableChore(
  table: string,
  remove: (scene: Scene, now: Date, limit: number) => Promise<number>,
): Chore {
  return {
    name: table,
    async removeSome(scene, now) {
      const rows = await remove(scene, now, CHORE_ROWS_MAX);
      return { rows: { [table]: rows }, more: rows === CHORE_ROWS_MAX };
    },
  };
}

const DAY_MS = 24 * 3_600_000;

export function daysAgo(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}
