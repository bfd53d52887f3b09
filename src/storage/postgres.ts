import pg from 'pg';
import type { Database, Session } from './database.ts';
import { createPostgresListener } from './postgres-listener.ts';
import { createSession, inOneSession } from './session.ts';
import { createStatementTexts } from './statement.ts';
import { fromDriver } from './storage-error.ts';

export interface PostgresOptions {
  schema: string;
  url: string;
  poolMax: number;
  /** Told about connections that break while nobody uses them, and about the listener's. */
  onTrouble(error: Error): void;
}

const CONNECT_TIMEOUT_MS = 5_000;
// A server that hangs must become a 503, not a request that never ends.
const STATEMENT_TIMEOUT_MS = 15_000;

// Nothing may rely on the search path, and an acknowledged write must be on disk whatever the server's default.
const SET_UP = `set search_path = ''; set synchronous_commit = on; set statement_timeout = ${STATEMENT_TIMEOUT_MS}`;

export function openPostgres({ schema, url, poolMax, onTrouble }: PostgresOptions): Database {
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS + 1_000,
    keepAlive: true,
    application_name: `dateline ${schema}`,
    types: { getTypeParser },
  };
  const pool = new pg.Pool({
    ...connection,
    max: poolMax,
    onConnect: async (client) => {
      await client.query(SET_UP);
    },
  });
  pool.on('error', onTrouble);
  const listener = createPostgresListener({ schema, connect: () => new pg.Client(connection), onTrouble });
  const textOf = createStatementTexts(schema);
  const sessionOn = (runner: pg.Pool | pg.PoolClient): Session =>
    createSession({
      schema,
      textOf,
      async query({ name, text, parameters }) {
        const query = { text, values: [...parameters], ...(name === undefined ? {} : { name }) };
        const { rows, rowCount } = await runner.query(query);
        return { rows, affectedRows: rowCount ?? 0 };
      },
    });
  const clients = new WeakMap<Session, pg.PoolClient>();

  return {
    ...sessionOn(pool),
    engine: 'postgres',
    schema,
    async transaction(work) {
      const client = await pool.connect().catch((error: unknown) => {
        throw fromDriver(error);
      });
      return inTransaction(client, () =>
        inOneSession(sessionOn(client), (session) => {
          clients.set(session, client);
          return work(session);
        }),
      );
    },
    listen: listener.listen,
    async runScript(session, sql) {
      try {
        // A migration may take as long as it takes.
        await clients.get(session)?.query(`set local statement_timeout = 0; ${sql}`);
      } catch (error) {
        throw fromDriver(error);
      }
    },
    poolUse: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      await listener.close();
      await pool.end();
    },
  };
}

async function inTransaction<Result>(client: pg.PoolClient, work: () => Promise<Result>): Promise<Result> {
  // While a client is checked out, a broken connection is told here; without a listener it would end the process.
  const ignore = (): void => {};
  client.on('error', ignore);
  let broken = false;
  try {
    await control(client, 'begin');
    const result = await work();
    await control(client, 'commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    client.off('error', ignore);
    // A connection that could not even roll back is not given to the next caller.
    client.release(broken);
  }
}

async function control(client: pg.PoolClient, command: 'begin' | 'commit'): Promise<void> {
  try {
    await client.query(command);
  } catch (error) {
    throw fromDriver(error);
  }
}

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  // As on the embedded database: bigint as number.
  if (oid === pg.types.builtins.INT8 && format !== 'binary') return Number;
  return pg.types.getTypeParser(oid, format as 'text');
}
