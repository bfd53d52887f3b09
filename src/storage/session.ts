import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { currentSpan, spanning } from '../tracing/span.ts';
import type { Session } from './database.ts';
import { createQueryBuilder, type RawResult } from './query-builder.ts';
import { type Statement, statement } from './statement.ts';
import { fromDriver } from './storage-error.ts';

export interface DriverQuery {
  text: string;
  parameters: readonly unknown[];
  /** Set for statements worth preparing. */
  name?: string;
}

interface SessionOptions {
  schema: string;
  textOf(statement: Statement): string;
  query(query: DriverQuery): Promise<RawResult>;
  /** Called when a statement fails. */
  onFailure?: OnFailure | undefined;
}

export type OnFailure = (error: unknown) => void;

const LOCK = statement('lock', 'select pg_advisory_xact_lock($1::bigint)');
const TRY_LOCK = statement('try_lock', 'select pg_try_advisory_xact_lock($1::bigint) as locked');
const NOTIFY = statement('notify', 'select pg_notify($1, $2)');

/** The part of a session that is the same on both engines: only `query` differs. */
export function createSession({ schema, textOf, query, onFailure }: SessionOptions): Session {
  const runQuery = async (driverQuery: DriverQuery): Promise<RawResult> => {
    try {
      return await withClassifiedErrors(traced(query, driverQuery));
    } catch (error) {
      onFailure?.(error);
      throw error;
    }
  };
  const run = async <Row>(hot: Statement, parameters: readonly unknown[]): Promise<Row[]> => {
    const { rows } = await runQuery({ name: hot.name, text: textOf(hot), parameters });
    return rows as Row[];
  };
  const builder = createQueryBuilder((text, parameters) => runQuery({ text, parameters }), schema);
  return {
    tables: <Tables>() => builder as Kysely<Tables>,
    run,
    async lock(name) {
      await run(LOCK, [lockKey(`${schema}:${name}`)]);
    },
    async tryLock(name) {
      const [row] = await run<{ locked: boolean }>(TRY_LOCK, [lockKey(`${schema}:${name}`)]);
      return row?.locked ?? false;
    },
    async notify(channel, payload) {
      await run(NOTIFY, [channelName(schema, channel), payload]);
    },
  };
}

/**
 * Runs the work of one transaction. After a failed statement PostgreSQL turns `commit` into a rollback without
 * an error; if `work` swallowed that statement's error, its caller would take the write for done.
 */
export async function inOneSession<Own extends Session, Result>(
  makeSession: (onFailure: OnFailure) => Own,
  work: (session: Own) => Promise<Result>,
): Promise<Result> {
  let failed = false;
  const session = makeSession(() => {
    failed = true;
  });
  const result = await work(session);
  if (failed) throw new Error('a statement of this transaction failed: nothing of it is stored');
  return result;
}

/** A statement is a part of what is traced. Its name is told, and none of its values. */
function traced(query: SessionOptions['query'], driverQuery: DriverQuery): Promise<RawResult> {
  const parent = currentSpan();
  if (!parent) return query(driverQuery);
  const { name = /^\w+/.exec(driverQuery.text)?.[0] ?? 'query' } = driverQuery;
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name };
  return spanning(parent.begin({ name, kind: 'client', attributes }), () => query(driverQuery));
}

/** Waits for the work of a driver, and classifies its errors. */
export async function withClassifiedErrors<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw fromDriver(error);
  }
}

/** Notifications reach every listener of the server, so a channel carries its schema. */
export function channelName(schema: string, channel: string): string {
  return `${schema}_${channel}`;
}

function lockKey(name: string): string {
  return createHash('sha256').update(name).digest().readBigInt64BE(0).toString();
}
