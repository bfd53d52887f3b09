import type { Context } from './environment.ts';

/** Periodic work of a room: removes rows that are no longer needed, some at a time. */
// biome-ignore lint/suspicious/noExplicitAny: what it remembers of a round is its own affair.
export interface Chore<Position = any> {
  name: string;
  /**
   * As much as fits into a short transaction. Skips rows that are locked. `after` is what this chore answered last with, in
   * the same round; null when that begins.
   */
  removeSome(context: Context, now: Date, after: Position | null): Promise<Removed<Position>>;
}

export interface Removed<Position = unknown> {
  /** Number of deleted rows by table. */
  rows: Readonly<Record<string, number>>;
  /** True if another round would find more. */
  more: boolean;
  /** Where it has come to, for a chore that passes by rows which stay. */
  next?: Position;
}

/** So few that a transaction stays short. */
export const CHORE_ROWS_MAX = 500;

/** A chore of one statement on one table. `remove` removes `limit` rows at most, and answers with how many. */
export function tableChore(
  table: string,
  remove: (context: Context, now: Date, limit: number) => Promise<number>,
): Chore {
  return {
    name: table,
    async removeSome(context, now) {
      const rows = await remove(context, now, CHORE_ROWS_MAX);
      return { rows: { [table]: rows }, more: rows === CHORE_ROWS_MAX };
    },
  };
}

const DAY_MS = 24 * 3_600_000;

export function daysAgo(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}
