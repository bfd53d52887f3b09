import { type Deletion, deletion } from '../storage/deletion.ts';
import type { Context } from './environment.ts';

/** Periodic work of a room: deletes expired rows in small batches. */
// biome-ignore lint/suspicious/noExplicitAny: what it remembers of a round is its own affair.
export interface Chore<Position = any> {
  name: string;
  /**
   * Deletes as much as fits into a short transaction, and skips locked rows. `after` is the `next` of the previous
   * batch in the same round; null in the first.
   */
  removeSome(context: Context, now: Date, after: Position | null): Promise<Removed<Position>>;
}

export interface Removed<Position = unknown> {
  /** Number of deleted rows by table. */
  rows: Readonly<Record<string, number>>;
  /** True if another round would find more. */
  more: boolean;
  /** The position to continue at, for a chore that skips rows which stay. */
  next?: Position;
}

/** Small, so that a transaction stays short. */
export const CHORE_ROWS_MAX = 500;

/** A chore of one statement on one table. `remove` deletes at most `limit` rows, and returns how many. */
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

/** Deletes rows `keptDays` after the time that the deletion goes by: their end, or their creation. */
export function deletionChore(table: string, remove: Deletion<Date>, keptDays: number): Chore {
  return tableChore(table, ({ session }, now, limit) => remove(session, daysAgo(now, keptDays), limit));
}

/** Deletes rows `keptDays` after their `expires_at`. */
export function expiryChore(table: string, keptDays = 0): Chore {
  const rows = { table, where: 'expires_at <= $1', orderBy: 'expires_at' };
  return deletionChore(table, deletion(`delete_expired_${table}`, rows), keptDays);
}

const DAY_MS = 24 * 3_600_000;

export function daysAgo(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}
