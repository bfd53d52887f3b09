import type { Kysely } from 'kysely';
import type { Statement } from './statement.ts';

export type Parameters = readonly unknown[];

/** Runs statements that only read: also a standby. */
export interface ReadSession {
  /** Runs a hand-written statement of a hot path. */
  run<Row>(statement: Statement, parameters: Parameters): Promise<Row[]>;
}

/** Runs queries: the database itself, or one of its transactions. */
export interface Session extends ReadSession {
  /** Ordinary queries. `Tables` is the caller's own room: rooms do not share table types. */
  tables<Tables>(): Kysely<Tables>;
  /** Waits for, then holds, a lock with this name until the transaction ends. */
  lock(name: string): Promise<void>;
  /** Like `lock`, without waiting; false if somebody else holds it. */
  tryLock(name: string): Promise<boolean>;
  /** Sends a notification. In a transaction it goes out at commit, and not at all after a rollback. */
  notify(channel: string, payload: string): Promise<void>;
}

/** For migrations only. */
export interface MigrationSession extends Session {
  /** Several statements at once, without parameters. `{schema}` is replaced here too. */
  script(sql: string): Promise<void>;
}

/** The connections that can be used at once. */
export interface Connections {
  readonly reads: number;
  readonly writes: number;
}

export interface PoolUse {
  total: number;
  idle: number;
  waiting: number;
}

/** The folder of an embedded database, for who copies it. */
export interface DatabaseFolder {
  /** Writes nothing into the folder until `work` has ended: every query waits. */
  holdStill<Result>(work: (path: string) => Promise<Result>): Promise<Result>;
}

/**
 * One environment's data. There is no other way to its tables, and no way from here to another's.
 *
 * The embedded database has a single session: a query on this handle waits while a transaction is open.
 * So a transaction stays short, does nothing but queries, and uses only the session it was given.
 */
export interface Database extends Session {
  readonly engine: 'postgres' | 'pglite';
  readonly schema: string;
  readonly connections: Connections;
  /** True if connections lead to a pooler, not to the server itself: known once a connection was opened. */
  isBehindPooler(): boolean;
  /** Null on a server, and in memory. */
  readonly folder: DatabaseFolder | null;
  /**
   * When it ends, what it has seen is as durable as our own commits: the commit of another may not have reached a standby
   * yet. So nobody acknowledges what another request has done without having seen it in a transaction.
   */
  transaction<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;
  /** Calls back for each notification, until the returned function is called. A hint only: poll as well. */
  listen(channel: string, onNotification: (payload: string) => void): Promise<() => Promise<void>>;
  /** A transaction without time limits, on a connection of its own. */
  migration<Result>(work: (session: MigrationSession) => Promise<Result>): Promise<Result>;
  poolUse(): PoolUse;
  /** Checks that the database answers, with a short time limit. */
  ping(): Promise<void>;
  /** Number of queries answered so far. */
  answerCount(): number;
  close(): Promise<void>;
}

/** The columns of a table that holds these fields: `created_at` for `createdAt`. */
export type Columns<Row> = { [Name in keyof Row as SnakeCase<Name & string>]: Row[Name] };

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;
