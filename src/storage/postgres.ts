import pg from 'pg';
import type { Database, Session } from './database.ts';
import { createPostgresListener } from './postgres-listener.ts';
import { getTypeParser } from './postgres-types.ts';
import { createSession, inOneSession, type OnFailure, withClassifiedErrors } from './session.ts';
import { createStatementTexts, withSchema } from './statement.ts';
import { StandbyError } from './storage-error.ts';

export interface PostgresOptions {
  schema: string;
  url: string;
  poolMax: number;
  /** Called for connections that break while idle, and for the listener's. */
  onTrouble(error: Error): void;
}

const CONNECT_TIMEOUT_MS = 5_000;
const PING_TIMEOUT_MS = 2_000;
// A server that hangs must become a 503, not a request that never ends.
const STATEMENT_TIMEOUT_MS = 15_000;

// Nothing may rely on the search path, and an acknowledged write must be on disk whatever the server's default.
const SET_UP = "set search_path = ''; set synchronous_commit = on";

const IS_STANDBY = 'select pg_is_in_recovery() as standby';

export function openPostgres({ schema, url, poolMax, onTrouble }: PostgresOptions): Database {
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: `dateline ${schema}`,
    types: { getTypeParser },
  };
  const pool = new pg.Pool({
    ...connection,
    query_timeout: STATEMENT_TIMEOUT_MS + 1_000,
    max: poolMax,
    onConnect: (client) => setUp(client, `set statement_timeout = ${STATEMENT_TIMEOUT_MS}`),
  });
  pool.on('error', onTrouble);
  const listener = createPostgresListener({ schema, connect: () => new pg.Client(connection), onTrouble });
  const textOf = createStatementTexts(schema);
  let answers = 0;
  const sessionOn = (runner: pg.Pool | pg.ClientBase, onFailure?: OnFailure): Session =>
    createSession({
      schema,
      textOf,
      onFailure,
      async query({ name, text, parameters }) {
        const query = { text, values: [...parameters], ...(name === undefined ? {} : { name }) };
        const { rows, rowCount } = await runner.query(query);
        answers += 1;
        return { rows, affectedRows: rowCount ?? 0 };
      },
    });

  return {
    ...sessionOn(pool),
    engine: 'postgres',
    schema,
    connections: { reads: poolMax, writes: poolMax },
    async transaction(work) {
      const client = await withClassifiedErrors(pool.connect());
      const release = (broken: boolean): void => client.release(broken);
      return inTransaction(client, release, () =>
        inOneSession((onFailure) => sessionOn(client, onFailure), work),
      );
    },
    async migration(work) {
      const client = new pg.Client(connection);
      await withClassifiedErrors(client.connect());
      const release = (): void => void client.end().catch(() => {});
      const script = async (sql: string): Promise<void> =>
        void (await withClassifiedErrors(client.query(withSchema(sql, schema))));
      return inTransaction(client, release, async () => {
        await withClassifiedErrors(setUp(client));
        return inOneSession((onFailure) => ({ ...sessionOn(client, onFailure), script }), work);
      });
    },
    listen: listener.listen,
    async ping() {
      const query = { text: IS_STANDBY, query_timeout: PING_TIMEOUT_MS };
      refuseStandby(await withClassifiedErrors(pool.query(query)));
      answers += 1;
    },
    answerCount: () => answers,
    poolUse: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      await listener.close();
      await pool.end();
    },
  };
}

/**
 * Prepares a new connection, and refuses one to a standby: that reads what its primary wrote some time ago, so a revoked
 * token would be active there. A server becomes one only by a restart, which ends its connections.
 */
async function setUp(client: pg.ClientBase, ...more: readonly string[]): Promise<void> {
  const query = { text: [SET_UP, ...more, IS_STANDBY].join('; '), query_timeout: CONNECT_TIMEOUT_MS };
  // The driver answers several statements with a list.
  const results: unknown = await client.query(query);
  refuseStandby((results as pg.QueryResult[]).at(-1));
}

function refuseStandby(result: pg.QueryResult | undefined): void {
  if (result?.rows[0]?.standby !== false) throw new StandbyError();
}

async function inTransaction<Result>(
  client: pg.ClientBase,
  release: (broken: boolean) => void,
  work: () => Promise<Result>,
): Promise<Result> {
  // An idle connection reports here that it broke; without a listener that error would end the process.
  const ignore = (): void => {};
  client.on('error', ignore);
  let broken = false;
  try {
    await withClassifiedErrors(client.query('begin'));
    const result = await work();
    await withClassifiedErrors(client.query('commit'));
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    client.off('error', ignore);
    // A connection that could not even roll back is not given to the next caller.
    release(broken);
  }
}
