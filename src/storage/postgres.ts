import pg from 'pg';
import { createBound } from '../kernel/bound.ts';
import type { Database, Session } from './database.ts';
import { createPostgresListener } from './postgres-listener.ts';
import { getTypeParser } from './postgres-types.ts';
import {
  createSession,
  type DriverQuery,
  inOneSession,
  type OnFailure,
  withClassifiedErrors,
} from './session.ts';
import { createStatementTexts, withSchema } from './statement.ts';
import { gotNoAnswer, StandbyError, StorageUnavailableError } from './storage-error.ts';

export interface PostgresOptions {
  schema: string;
  url: string;
  poolMax: number;
  /** After this long without an answer a statement has failed. */
  statementMs?: number;
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

export function openPostgres(options: PostgresOptions): Database {
  const { schema, url, poolMax, statementMs = STATEMENT_TIMEOUT_MS, onTrouble } = options;
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: `dateline ${schema}`,
    types: { getTypeParser },
  };
  const pool = new pg.Pool({
    ...connection,
    // The server ends it first, if it can.
    query_timeout: statementMs + 1_000,
    max: poolMax,
    onConnect: (client) => setUp(client, `set statement_timeout = ${statementMs}`),
  });
  pool.on('error', onTrouble);
  const listener = createPostgresListener({ schema, connect: () => new pg.Client(connection), onTrouble });
  const textOf = createStatementTexts(schema);
  const writesMax = poolMax - reservedForReads(poolMax);
  const writes = createBound({
    atOnceMax: writesMax,
    waitMsMax: CONNECT_TIMEOUT_MS,
    refusal: noConnectionForWrites,
  });
  let answers = 0;

  async function ask(runner: pg.Pool | pg.ClientBase, { name, text, parameters }: DriverQuery) {
    const query = { text, values: [...parameters], ...(name === undefined ? {} : { name }) };
    const { rows, rowCount } = await runner.query(query);
    answers += 1;
    return { rows, affectedRows: rowCount ?? 0 };
  }

  const sessionOn = (client: pg.ClientBase, onFailure: OnFailure): Session =>
    createSession({ schema, textOf, onFailure, query: (query) => ask(client, query) });
  const onPool = createSession({
    schema,
    textOf,
    query: (query) => (READS.test(query.text) ? ask(pool, query) : writes.run(() => ask(pool, query))),
  });

  return {
    ...onPool,
    engine: 'postgres',
    schema,
    connections: { reads: poolMax, writes: writesMax },
    transaction: (work) =>
      writes.run(async () => {
        const client = await withClassifiedErrors(pool.connect());
        const release = (broken: boolean): void => client.release(broken);
        return inTransaction(client, release, (onLost) =>
          inOneSession((onFailure) => sessionOn(client, both(onFailure, onLost)), work),
        );
      }),
    async migration(work) {
      const client = new pg.Client(connection);
      await withClassifiedErrors(client.connect());
      const release = (): void => void client.end().catch(() => {});
      const script = async (sql: string): Promise<void> =>
        void (await withClassifiedErrors(client.query(withSchema(sql, schema))));
      return inTransaction(client, release, async (onLost) => {
        await withClassifiedErrors(setUp(client));
        return inOneSession((onFailure) => ({ ...sessionOn(client, both(onFailure, onLost)), script }), work);
      });
    },
    listen: listener.listen,
    async ping() {
      const query = { text: IS_STANDBY, query_timeout: PING_TIMEOUT_MS };
      refuseStandby(await withClassifiedErrors(pool.query(query)));
      answers += 1;
    },
    answerCount: () => answers,
    poolUse: () => ({
      total: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount + writes.waiting(),
    }),
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

/** What changes nothing. A notification is a commit, and waits like one. */
const READS = /^\s*select\b(?!\s+pg_notify)/i;

/** Writes can all be stuck, such as commits that wait for a standby; tokens must be readable meanwhile. */
function reservedForReads(poolMax: number): number {
  return Math.min(poolMax - 1, Math.ceil(poolMax / 4));
}

function noConnectionForWrites(): Error {
  return new StorageUnavailableError('all connections for writes were in use');
}

function both(one: OnFailure, other: OnFailure): OnFailure {
  return (error) => {
    one(error);
    other(error);
  };
}

async function inTransaction<Result>(
  client: pg.ClientBase,
  release: (broken: boolean) => void,
  work: (onFailure: OnFailure) => Promise<Result>,
): Promise<Result> {
  // An idle connection reports here that it broke; without a listener that error would end the process.
  const ignore = (): void => {};
  client.on('error', ignore);
  let broken = false;
  const onFailure: OnFailure = (error) => {
    broken ||= gotNoAnswer(error);
  };
  try {
    await withClassifiedErrors(client.query('begin'));
    const result = await work(onFailure);
    await withClassifiedErrors(client.query('commit'));
    return result;
  } catch (error) {
    onFailure(error);
    // A connection without an answer would have none for this either. The server rolls back when it is closed.
    if (!broken)
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
