import { firstIdAt } from '../kernel/ids.ts';
import type { Session } from './database.ts';
import { statement } from './statement.ts';

/** The rows of one table that may be deleted. */
export interface DeletedRows {
  table: string;
  /** The condition, by `$1`. */
  where: string;
  orderBy: string;
}

/** Deletes at most `limit` rows, and returns how many. Skips rows that another transaction has locked. */
export type Deletion<Bound> = (session: Session, bound: Bound, limit: number) => Promise<number>;

export function deletion<Bound>(name: string, { table, where, orderBy }: DeletedRows): Deletion<Bound> {
  const sql = statement(
    name,
    `with gone as (
       delete from {schema}.${table} where ctid = any(array(
         select ctid from {schema}.${table} where ${where} order by ${orderBy} limit $2 for update skip locked))
       returning 1)
     select count(*) as count from gone`,
  );
  return async (session, bound, limit) => {
    const [row] = await session.run<{ count: number }>(sql, [bound, limit]);
    return row?.count ?? 0;
  };
}

/** Deletes by age, where ids sort by time: old rows are at the start of the primary key. */
export function deletionByAge(name: string, { idPrefix, idColumn = 'id', table }: RowsByAge): Deletion<Date> {
  const deleteBefore = deletion<string>(name, { table, where: `${idColumn} < $1`, orderBy: idColumn });
  return (session, before, limit) => deleteBefore(session, firstIdAt(idPrefix, before), limit);
}

interface RowsByAge {
  table: string;
  idPrefix: string;
  idColumn?: string;
}
