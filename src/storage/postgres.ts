import pg from 'pg';
import { createBound, type KeepPlace } from '../kernel/bound.ts';
import type { Database, Session } from './database.ts';
import { createLeftWaiting } from './postgres/left-waiting.ts';
import { createPostgresListener } from './postgres/listener.ts';
import {
  BY_INDEX,
  begin,
  IS_STANDBY,
  keepsSession,
  queryAlone,
  refuseStandby,
  rollbackAnd,
  type Settings,
  serverProcess,
  setUp,
} from './postgres/settings.ts';
import { driverAddress } from './postgres/tls.ts';
import { getTypeParser } from './postgres/types.ts';
import {
  createSession,
  type DriverQuery,
  inOneSession,
  type OnFailure,
  withClassifiedErrors,
} from './session.ts';
import { createStatementTexts, withSchema } from './statement.ts';
import { fromDriver, gotNoAnswer, StorageUnavailableError, UnconfirmedError } from './storage-error.ts';

export interface PostgresOptions {
  schema: string;
  url: string;
  /** Past a pooler, for what must have a session. */
  directUrl?: string | null;
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

// With it a commit waits like any other, and follows all that was seen before. One that writes nothing would not wait, and a statement that
// waited for another's lock may write nothing although it looks like a change: its row is gone.
const CONFIRM = "select pg_logical_emit_message(true, 'dateline', '')";
const COMMIT = `${CONFIRM}; commit`;

/** Of a migration, which changes whole tables, and has no limit of time. */
const MIGRATION: Settings = { enable_seqscan: "'on'" };

export function openPostgres(options: PostgresOptions): Database {
  const { schema, url, directUrl, poolMax, statementMs = STATEMENT_TIMEOUT_MS, onError } = options;
  const address = driverAddress(url);
  const direct = directUrl ? driverAddress(directUrl) : address;
  const connection = {
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: `dateline ${schema}`,
    types: { getTypeParser },
  };
  const settings: Settings = { statement_timeout: `'${statementMs}'`, ...BY_INDEX };
  let behindPooler = false;
  const pool = new pg.Pool({
    ...address,
    ...connection,
    // The server ends it first, if it can.
    query_timeout: statementMs + 1_000,
    max: poolMax,
    async onConnect(client) {
      watchWarnings(client);
      await setUp(client, settings, CONNECT_TIMEOUT_MS);
      behindPooler = !keepsSession(client);
    },
  });
  pool.on('error', onError);
  const newSession = (): pg.Client => new pg.Client({ ...direct, ...connection });
  const listener = createPostgresListener({ schema, connect: newSession, onError });
  const textOf = createStatementTexts(schema);
  const writesMax = poolMax - reservedForReads(poolMax);
  const writes = createBound({
    atOnceMax: writesMax,
    waitMsMax: CONNECT_TIMEOUT_MS,
    refusal: noConnectionForWrites,
  });
  const connections = { reads: poolMax, writes: writesMax };
  const leftWaiting = createLeftWaiting(pool);
  let answers = 0;

  /** Runs a statement: with its own commit, or in the transaction that is open. */
  async function ask(client: pg.ClientBase, { name, text, parameters }: DriverQuery, isAlone: boolean) {
    const isNamed = name !== undefined && keepsSession(client);
    const query = { text, values: [...parameters], ...(isNamed ? { name } : {}) };
    warnings.delete(client);
    const { rows, rowCount } = await (isAlone ? queryAlone(client, settings, query) : client.query(query));
    answers += 1;
    return { rows, affectedRows: rowCount ?? 0 };
  }

  /** Runs a statement on a connection of its own, with its own commit where it may keep a place for that. */
  async function askAlone(query: DriverQuery, keep?: KeepPlace) {
    const client = await pool.connect();
    client.on('error', ignore);
    try {
      const result = await ask(client, query, true);
      if (keep) refuseUnconfirmed(client);
      client.release();
      return result;
    } catch (error) {
      if (keep && gotNoAnswer(fromDriver(error))) giveUp(client, keep);
      else client.release(true);
      throw error;
    } finally {
      client.off('error', ignore);
    }
  }

  /** Closes a connection, and frees its place, once its commit waits for no standby: see `LeftWaiting`. */
  function giveUp(client: pg.PoolClient, keep: KeepPlace): void {
    const process = serverProcess(client);
    if (process === undefined) return client.release(true);
    client.on('error', ignore);
    keep(leftWaiting.over(process).then(() => client.release(true)));
  }

  const askPool = (query: DriverQuery) =>
    isRead(query) ? askAlone(query) : writes.run((keep) => askAlone(query, keep));

  const sessionOn = (client: pg.ClientBase, onFailure: OnFailure): Session =>
    createSession({
      schema,
      textOf,
      onFailure,
      query: (query) => ask(client, query, false),
    });
  const onPool = createSession({ schema, textOf, query: askPool });

  return {
    ...onPool,
    engine: 'postgres',
    schema,
    connections,
    isBehindPooler: () => behindPooler,
    folder: null,
    transaction: (work) =>
      writes.run(async (keep) => {
        const client = await withClassifiedErrors(pool.connect());
        const release = (broken: boolean): void => (broken ? giveUp(client, keep) : client.release());
        return inTransaction({ client, settings, release }, (onLost) =>
          inOneSession((onFailure) => sessionOn(client, both(onFailure, onLost)), work),
        );
      }),
    async migration(work) {
      const client = newSession();
      watchWarnings(client);
      await withClassifiedErrors(client.connect());
      const release = (): void => void client.end().catch(() => {});
      const script = async (sql: string): Promise<void> =>
        void (await withClassifiedErrors(client.query(withSchema(sql, schema))));
      return inTransaction({ client, settings: MIGRATION, release }, (onLost) =>
        inOneSession((onFailure) => ({ ...sessionOn(client, both(onFailure, onLost)), script }), work),
      );
    },
    listen: listener.listen,
    async ping() {
      const query = { text: IS_STANDBY, query_timeout: PING_TIMEOUT_MS };
      refuseStandby((await withClassifiedErrors(pool.query(query))).rows[0]);
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
      leftWaiting.stop();
      await pool.end();
    },
  };
}

const WARNING = '01000';

/** The server's warning during the last statement of each connection. */
const warnings = new WeakMap<pg.ClientBase, string>();

function watchWarnings(client: pg.ClientBase): void {
  client.on('notice', ({ code, message }) => {
    if (code === WARNING) warnings.set(client, message ?? '');
  });
}

/**
 * A commit whose wait for a standby was cancelled succeeds, with a warning. Nothing else of ours makes the server warn, and
 * its text is in the server's language.
 */
function refuseUnconfirmed(client: pg.ClientBase): void {
  const warning = warnings.get(client);
  if (warning !== undefined) throw new UnconfirmedError(warning);
}

/** Statements that change nothing. NOTIFY, logical messages and locks of rows commit, and wait like a write. */
const READS = /^\s*select\b(?!\s+pg_(notify|logical_emit_message))/i;
const LOCKS = /\bfor (no key )?update\b/i;

/** By their texts: to search a long one costs more than to send it, and named statements are few. */
const namedReads = new Map<string, boolean>();

function isRead({ name, text }: DriverQuery): boolean {
  const known = namedReads.get(text);
  if (known !== undefined) return known;
  const found = READS.test(text) && !LOCKS.test(text);
  if (name !== undefined) namedReads.set(text, found);
  return found;
}

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

interface TransactionParts {
  client: pg.ClientBase;
  settings: Settings;
  release(broken: boolean): void;
}

async function inTransaction<Result>(
  { client, settings, release }: TransactionParts,
  work: (onFailure: OnFailure) => Promise<Result>,
): Promise<Result> {
  client.on('error', ignore);
  let broken = false;
  const onFailure: OnFailure = (error) => {
    broken ||= gotNoAnswer(error);
  };
  try {
    await withClassifiedErrors(begin(client, settings));
    const result = await work(onFailure);
    await end(client, COMMIT);
    return result;
  } catch (error) {
    onFailure(error);
    // A connection without an answer would have none for this either. The server rolls back when it is closed.
    if (!broken)
      // What a transaction refuses, it refuses for what it has seen: gone already, there already.
      await end(
        client,
        error instanceof StorageUnavailableError ? 'rollback' : rollbackAnd(client, settings, CONFIRM),
      ).catch((failure) => {
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
