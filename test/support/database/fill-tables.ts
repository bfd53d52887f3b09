import type { Client } from 'pg';

interface Column {
  table: string;
  name: string;
  type: string;
  isNullable: boolean;
  /** The last of its primary key: what makes a row unique. */
  isLastOfKey: boolean;
}

/** Puts rows into every table of a schema, as they come: neither their references nor what their columns mean is kept. */
export async function fillTables(
  client: Client,
  schema: string,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const tables = new Map<string, Column[]>();
  for (const column of await columnsOf(client, schema))
    tables.set(column.table, [...(tables.get(column.table) ?? []), column]);
  await client.query('set session_replication_role = replica');
  await client.query(
    [...tables]
      .map(([table, columns]) => {
        const names = columns.map(({ name }) => `"${name}"`).join(', ');
        const values = columns.map(valueIn).join(', ');
        return `insert into ${schema}.${table} (${names}) select ${values} from generate_series(${from}, ${to}) as n
                on conflict do nothing`;
      })
      .join(';\n'),
  );
}

export async function emptyTables(client: Client, schema: string): Promise<void> {
  const tables = new Set((await columnsOf(client, schema)).map(({ table }) => `${schema}.${table}`));
  await client.query(`truncate ${[...tables].join(', ')} cascade`);
}

async function columnsOf(client: Client, schema: string): Promise<Column[]> {
  await client.query(WITHOUT_CHECKS.replaceAll('{schema}', schema));
  const { rows } = await client.query<Column>(COLUMNS, [schema]);
  return rows;
}

const WITHOUT_CHECKS = `do $$
declare found record;
begin
  for found in select conrelid::regclass as "table", conname as name from pg_constraint
               where connamespace = '{schema}'::regnamespace and contype = 'c'
  loop execute format('alter table %s drop constraint %I', found."table", found.name); end loop;
end $$`;

const COLUMNS = `
  select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type, not a.attnotnull as "isNullable",
         exists (select 1 from pg_index i where i.indrelid = c.oid and i.indisprimary
                 and i.indkey[i.indnkeyatts - 1] = a.attnum) as "isLastOfKey"
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relnamespace = $1::regnamespace and c.relkind = 'r' and c.relname <> 'migrations'
    and a.attnum > 0 and not a.attisdropped and a.attidentity = '' and a.attgenerated = ''
  order by c.relname, a.attnum`;

const REFERS = /(client|user|organization|endpoint|grant|occurrence)_id$/;
const REFERRED = 40;

function valueIn({ name, type, isNullable, isLastOfKey }: Column): string {
  if (name === 'state') return `(array['pending', 'delivered'])[n % 2 + 1]`;
  if (name === 'next_attempt_at') return `case when n % 2 = 0 then now() + n * interval '1 second' end`;
  switch (type) {
    case 'text':
      return REFERS.test(name) && !isLastOfKey
        ? `'${name}' || lpad((n % ${REFERRED})::text, 8, '0')`
        : `'${name}' || lpad(n::text, 8, '0')`;
    case 'text[]':
      return `array['${name}' || n]`;
    case 'timestamp with time zone':
      return isNullable ? 'null' : `now() + n * interval '1 second'`;
    case 'date':
      return 'current_date + n % 100';
    case 'bytea':
      return 'sha256(n::text::bytea)';
    case 'jsonb':
    case 'json':
      return `'{}'`;
    case 'boolean':
      return 'false';
    case 'integer':
    case 'bigint':
      return 'n';
    default:
      throw new Error(`a column of a type that is not known here: ${name} ${type}`);
  }
}
