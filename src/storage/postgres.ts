import pg from 'pg';
import { createBound } from '../kernel/bound.ts';
import { batchQueries } from './batch-queries.ts';
import type { Database, Session } from './database.ts';
import { driverAddress } from './postgres/tls.ts';
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
import { gotNoAnswer, StandbyError, StorageUnavailableError, UnconfirmedError } from './storage-error.ts';

export interface PostgresOptions {
  schema: string;
  url: string;
  poolMax: number;
  /** After this long without an answer a statement has failed. */
  statementMs?: number;
  /** Called for connections that break while idle, and for the listener's. */
  onError(error: Error): void;
}

const CONNECT_TIMEOUT_MS = 5_000;
const PING_TIMEOUT_MS = 2_000;
// A server that hangs must become a 503, not a request that never ends.
const STATEMENT_TIMEOUT_MS = 15_000;

// Nothing may rely on the search path, and an acknowledged write must be on disk whatever the server's default. A default
// that waits for more, `remote_apply`, stays.
const SET_UP = `set search_path = ''; select set_config('synchronous_commit', 'on', false)
  where current_setting('synchronous_commit') in ('off', 'local', 'remote_write')`;

// A commit that waits like any other, and follows all that was seen before: a transaction without a change would not wait.
const CONFIRM = "select pg_logical_emit_message(true, 'dateline', '')";
const COMMIT = `${CONFIRM} where pg_current_xact_id_if_assigned() is null; commit`;
// What a transaction refuses, it refuses for what it has seen: gone already, there already.
const ROLLBACK = `rollback; ${CONFIRM}`;
// One commit is enough for any number.
const CONFIRMED_AT_ONCE_MAX = 1_000;

// A plan is kept for as long as its connection, also one that was made when a table was small enough to be read as a whole.
const BY_INDEX = 'set enable_seqscan = off';
/** Of a migration, which changes whole tables, whatever the role has by default: see plan-settings.ts. */
const AS_A_WHOLE = 'set enable_seqscan = on';

const IS_STANDBY = 'select pg_is_in_recovery() as standby';

export function openPostgres(options: PostgresOptions): Database {
  const { schema, url, poolMax, statementMs = STATEMENT_TIMEOUT_MS, onError } = options;
  const connection = {
    ...driverAddress(url),
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
    onConnect: (client) => setUp(client, `set statement_timeout = ${statementMs}`, BY_INDEX),
  });
  pool.on('error', onError);
  const listener = createPostgresListener({ schema, connect: () => new pg.Client(connection), onError });
  const textOf = createStatementTexts(schema);
  const writesMax = poolMax - reservedForReads(poolMax);
  const writes = createBound({
    atOnceMax: writesMax,
    waitMsMax: CONNECT_TIMEOUT_MS,
    refusal: noConnectionForWrites,
  });
  const connections = { reads: poolMax, writes: writesMax };
  let answers = 0;

  async function ask(client: pg.ClientBase, { name, text, parameters }: DriverQuery) {
    const query = { text, values: [...parameters], ...(name === undefined ? {} : { name }) };
    warnings.delete(client);
    const { rows, rowCount } = await client.query(query);
    answers += 1;
    return { rows, affectedRows: rowCount ?? 0 };
  }

  /** Runs a statement on a connection of its own, with its own commit. */
  async function askAlone(query: DriverQuery, isRead: boolean) {
    const client = await pool.connect();
    let broken = true;
    client.on('error', ignore);
    try {
      const result = await ask(client, query);
      if (!isRead) refuseUnconfirmed(client);
      broken = false;
      return result;
    } finally {
      client.off('error', ignore);
      client.release(broken);
    }
  }

  const askPool = (query: DriverQuery) =>
    READS.test(query.text) ? askAlone(query, true) : writes.run(() => askAlone(query, false));

  const confirm = batchQueries<undefined, undefined>(
    { connections },
    {
      kind: 'writes',
      async run(waiting) {
        await withClassifiedErrors(askPool({ name: 'confirm', text: CONFIRM, parameters: [] }));
        return waiting;
      },
      sizeMax: CONFIRMED_AT_ONCE_MAX,
    },
  );

  const sessionOn = (client: pg.ClientBase, onFailure: OnFailure): Session =>
    createSession({
      schema,
      textOf,
      onFailure,
      query: (query) => ask(client, query),
      // Its end does that.
      async confirm() {},
    });
  const onPool = createSession({ schema, textOf, query: askPool, confirm: () => confirm(undefined) });

  return {
    ...onPool,
    engine: 'postgres',
    schema,
    connections,
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
        await withClassifiedErrors(setUp(client, AS_A_WHOLE));
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
  client.on('notice', ({ code, message }) => {
    if (code === WARNING) warnings.set(client, message ?? '');
  });
  const query = { text: [SET_UP, ...more, IS_STANDBY].join('; '), query_timeout: CONNECT_TIMEOUT_MS };
  // The driver answers several statements with a list.
  const results: unknown = await client.query(query);
  refuseStandby((results as pg.QueryResult[]).at(-1));
}

function refuseStandby(result: pg.QueryResult | undefined): void {
  if (result?.rows[0]?.standby !== false) throw new StandbyError();
}

const WARNING = '01000';

/** The server's warning during the last statement of each connection. */
const warnings = new WeakMap<pg.ClientBase, string>();

/**
 * A commit whose wait for a standby was cancelled succeeds, with a warning. Nothing else of ours makes the server warn, and
 * its text is in the server's language.
 */
function refuseUnconfirmed(client: pg.ClientBase): void {
  const warning = warnings.get(client);
  if (warning !== undefined) throw new UnconfirmedError(warning);
}

/** Statements that change nothing. NOTIFY and logical messages commit, and wait like a write. */
const READS = /^\s*select\b(?!\s+pg_(notify|logical_emit_message))/i;

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
  client.on('error', ignore);
  let broken = false;
  const onFailure: OnFailure = (error) => {
    broken ||= gotNoAnswer(error);
  };
  try {
    await withClassifiedErrors(client.query('begin'));
    const result = await work(onFailure);
    await end(client, COMMIT);
    return result;
  } catch (error) {
    onFailure(error);
    // A connection without an answer would have none for this either. The server rolls back when it is closed.
    if (!broken)
      await end(client, error instanceof StorageUnavailableError ? 'rollback' : ROLLBACK).catch((failure) => {
        broken = true;
        throw failure;
      });
    throw error;
  } finally {
    client.off('error', ignore);
    // A connection that could not even roll back is not given to the next caller.
    release(broken);
  }
}

async function end(client: pg.ClientBase, text: string): Promise<void> {
  warnings.delete(client);
  await withClassifiedErrors(client.query(text));
  refuseUnconfirmed(client);
}

/** An idle connection reports here that it broke; without a listener that error would end the process. */
function ignore(): void {}
