import pg from 'pg';
import { NoStandbyError, PoolerError, StandbyError } from '../storage-error.ts';

// A pooler such as PgBouncer hands out server connections by the transaction: what a session would keep, its settings and
// prepared statements, others would get. There, settings come with every transaction, and nothing is prepared by name.
// Without a pooler a connection is set up once.

/** Values of settings, as SQL expressions. */
export type Settings = Readonly<Record<string, string>>;

// Nothing may rely on the search path, and an acknowledged write must be on disk whatever the server's default. A default
// that waits for more, `remote_apply`, stays.
const ALWAYS: Settings = {
  search_path: "''",
  synchronous_commit: `case when current_setting('synchronous_commit') in ('off', 'local', 'remote_write')
    then 'on' else current_setting('synchronous_commit') end`,
};

/** A plan is kept for as long as its connection, also one that was made when a table was small enough to be read as a whole. */
export const BY_INDEX: Settings = { enable_seqscan: "'off'" };

export const IS_STANDBY = 'select pg_is_in_recovery() as standby';

interface ServerFacts {
  standby: boolean;
  /** The process of the server connection. */
  pid: number;
}

/** Applies the settings until the end of the transaction if this condition holds, else until the end of the session. */
function applying(settings: Settings, isLocal: string): string {
  const each = Object.entries({ ...ALWAYS, ...settings }).map(
    ([name, value]) => `set_config('${name}', ${value}, ${isLocal})`,
  );
  return `select pg_is_in_recovery() as standby, pg_backend_pid() as pid, ${each.join(', ')}`;
}

/** Connections that keep what is set and prepared on them: they lead to the server itself. */
const sessions = new WeakSet<pg.ClientBase>();

export function keepsSession(client: pg.ClientBase): boolean {
  return sessions.has(client);
}

/** The process of the server that last worked for each connection: a pooler gives every transaction another one. */
const processes = new WeakMap<pg.ClientBase, number>();

export function serverProcess(client: pg.ClientBase): number | undefined {
  return processes.get(client);
}

/** The process of the server as the connection was told. A pooler tells a number of its own. */
function toldProcess(client: pg.ClientBase): number {
  return Number(Reflect.get(client, 'processID'));
}

export async function leadsToPooler(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<ServerFacts>('select pg_backend_pid() as pid');
  return rows[0]?.pid !== toldProcess(client);
}

/**
 * Sets up a new connection, unless it leads to a pooler: others would get its settings. Refuses a standby: see
 * `refuseStandby`.
 */
export async function setUp(client: pg.ClientBase, settings: Settings, timeoutMs: number): Promise<void> {
  const process = toldProcess(client);
  const query = { text: applying(settings, `pg_backend_pid() <> ${process}`), query_timeout: timeoutMs };
  const [facts] = (await client.query<ServerFacts>(query)).rows;
  takeFacts(client, facts);
  if (facts?.pid === process) sessions.add(client);
}

function takeFacts(client: pg.ClientBase, facts: ServerFacts | undefined): void {
  refuseStandby(facts);
  if (facts) processes.set(client, facts.pid);
}

/** Sets up a new connection that is to lead to a standby, and to the server itself. */
export async function setUpStandby(
  client: pg.ClientBase,
  settings: Settings,
  timeoutMs: number,
): Promise<void> {
  const query = { text: applying(settings, 'false'), query_timeout: timeoutMs };
  const [facts] = (await client.query<ServerFacts>(query)).rows;
  if (facts?.standby !== true) throw new NoStandbyError();
  if (facts.pid !== toldProcess(client)) throw new PoolerError();
}

/**
 * A standby reads what its primary wrote some time ago, so a revoked token would be active there. A server becomes one only by a
 * restart, which ends its connections. A pooler opens them anew without a sign, so there every transaction asks.
 */
export function refuseStandby(facts: Pick<ServerFacts, 'standby'> | undefined): void {
  if (facts?.standby !== false) throw new StandbyError();
}

/** Begins a transaction. */
export async function begin(client: pg.ClientBase, settings: Settings): Promise<void> {
  if (keepsSession(client)) return void (await client.query('begin'));
  const [, result] = await queryAll(client, `begin; ${applying(settings, 'true')}`);
  takeFacts(client, result?.rows[0]);
}

/** Rolls a transaction back, and runs one more statement in a transaction of its own. */
export function rollbackAnd(client: pg.ClientBase, settings: Settings, text: string): string {
  return keepsSession(client) ? `rollback; ${text}` : `rollback; ${applying(settings, 'true')}; ${text}`;
}

/** Runs one statement with its own commit. */
export async function queryAlone(
  client: pg.ClientBase,
  settings: Settings,
  query: pg.QueryConfig,
): Promise<pg.QueryResult> {
  if (keepsSession(client)) return client.query(query);
  const [facts, result] = await queryTogether(client, applying(settings, 'true'), query);
  takeFacts(client, facts?.rows[0]);
  if (!result) throw new Error('a statement was not answered');
  return result;
}

/** Several statements at once; the driver answers them with a list. */
async function queryAll(client: pg.ClientBase, text: string): Promise<pg.QueryResult[]> {
  const results: unknown = await client.query(text);
  return Array.isArray(results) ? results : [];
}

/**
 * Sends two statements at once. Up to the message that ends both (Sync) they are one transaction (PostgreSQL's documentation,
 * "Extended Query": pipelining), so the first may apply settings to the second, in one round trip.
 */
async function queryTogether(
  client: pg.ClientBase,
  first: string,
  query: pg.QueryConfig,
): Promise<pg.QueryResult[]> {
  try {
    return await sendTogether(client, first, query);
  } catch (error) {
    // As the driver does: where the answer came in says nothing, but whoever waits here does.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}

function sendTogether(
  client: pg.ClientBase,
  first: string,
  { text, values = [] }: pg.QueryConfig,
): Promise<pg.QueryResult[]> {
  return new Promise((resolve, reject) => {
    const config = { text, values, queryMode: 'extended' };
    const query = new pg.Query(config, (error, results: unknown) =>
      error ? reject(error) : resolve(Array.isArray(results) ? results : []),
    );
    const { submit } = query;
    query.submit = (connection) => {
      connection.stream.cork();
      try {
        connection.parse({ name: '', text: first, types: [] }, true);
        connection.bind({}, true);
        connection.describe({ type: 'P' }, true);
        connection.execute({}, true);
        return submit.call(query, connection);
      } finally {
        connection.stream.uncork();
      }
    };
    client.query(query);
  });
}
