import type { Database } from '../../../src/storage/database.ts';
import { statement } from '../../../src/storage/statement.ts';

/** A database that fails over between two statements. */
export interface FailingOver {
  /** Single statements are still answered by the former primary, transactions by its successor. */
  database: Database;
  /** From now on the successor answers everything. */
  over(): void;
}

export function failingOver(former: Database, successor: Database): FailingOver {
  let reads = former;
  return {
    database: {
      ...successor,
      run: (...query) => reads.run(...query),
      tables: () => reads.tables(),
    },
    over() {
      reads = successor;
    },
  };
}

/** Makes all that one database holds the contents of another one: what a standby has when it is promoted. */
export async function replicate(from: Database, to: Database): Promise<void> {
  const columns = await from.run<{ table: string; names: string }>(
    statement(
      'columns',
      `select table_name as table, string_agg(format('%I', column_name), ', ') as names
       from information_schema.columns
       where table_schema = $1 and is_generated = 'NEVER' and table_name <> 'migrations' group by table_name`,
    ),
    [from.schema],
  );
  const tables = columns.map(({ table }) => `{schema}.${table}`).join(', ');
  const copies = columns.map(
    ({ table, names }) =>
      `insert into {schema}.${table} (${names}) overriding system value select ${names} from ${from.schema}.${table};`,
  );
  await to.migration(async (session) => {
    // Rows come before what they refer to.
    await session.script(
      `truncate ${tables}; set local session_replication_role = 'replica'; ${copies.join('')}`,
    );
  });
}
