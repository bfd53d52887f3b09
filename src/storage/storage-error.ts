import { errorCode } from '../kernel/error-facts.ts';

/** The database could not be queried: the caller gets 503 and may try again. */
export class StorageUnavailableError extends Error {
  override readonly name: string = 'StorageUnavailableError';
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** The connection leads to a standby: it may lag behind, and is read-only. */
export class StandbyError extends StorageUnavailableError {
  override readonly name = 'StandbyError';
  constructor() {
    super('The database is a standby; set DATABASE_URL to the primary.');
  }
}

/** An address that is to be read from leads to a server that is no standby, or is one no more. */
export class NoStandbyError extends StorageUnavailableError {
  override readonly name = 'NoStandbyError';
  constructor() {
    super('The server is no standby.');
  }
}

/** An address that must lead to a server itself leads to a pooler: a connection to it may be one to any server. */
export class PoolerError extends StorageUnavailableError {
  override readonly name = 'PoolerError';
  constructor() {
    super('The address leads to a pooler; name the standby itself.');
  }
}

/** The server has committed, but stopped waiting for its standbys: they may lack the commit. */
export class UnconfirmedError extends StorageUnavailableError {
  override readonly name = 'UnconfirmedError';
  constructor(warning: string) {
    super(`A commit was not confirmed: ${warning}`);
  }
}

/** A failover has undone what was read before: it was not durable yet, and nobody was told of it. */
export class UndoneError extends StorageUnavailableError {
  override readonly name = 'UndoneError';
  constructor() {
    super('A failover has undone what was read before.');
  }
}

/**
 * Classifies what a driver throws. An error with an SQLSTATE is the database's own answer; anything else that a
 * driver throws means that no answer came. A mistake in our code (TypeError and its like) stays what it is.
 */
export function fromDriver(error: unknown): unknown {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof StorageUnavailableError)
    return error;
  const state = sqlState(error);
  if (state === undefined) return new StorageUnavailableError(error);
  return UNAVAILABLE.test(state) ? new StorageUnavailableError(error) : error;
}

/** True if a statement failed without an answer: its outcome, and the state of its connection, are unknown. */
export function gotNoAnswer(error: unknown): boolean {
  // What a failover has undone was found out by an answer.
  if (error instanceof UndoneError) return false;
  return error instanceof StorageUnavailableError && sqlState(error.cause) === undefined;
}

export function isUniqueViolation(error: unknown): boolean {
  return sqlState(error) === '23505';
}

export function isForeignKeyViolation(error: unknown): boolean {
  return sqlState(error) === '23503';
}

export function isPermissionDenied(error: unknown): boolean {
  return sqlState(error) === '42501';
}

/**
 * True if the server is not up yet: its port refuses connections, or it is starting or stopping. Other reasons, such as
 * a wrong password, do not pass by themselves.
 */
export function isNotThereYet(error: unknown): boolean {
  // A name with several addresses: each has its reason.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isNotThereYet);
  if (NOT_THERE_YET.test(errorCode(error) ?? '')) return true;
  return error instanceof Error && error.cause !== undefined && isNotThereYet(error.cause);
}

const NOT_THERE_YET = /^(ECONNREFUSED|57P0[1-3])$/;

/** True if a lock that another session holds was not released within the lock timeout. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof StorageUnavailableError && sqlState(error.cause) === '55P03';
}

// Connection errors, lack of resources, shutdown or start-up of the server, its disk, a role or database that is gone,
// a statement cut off by its time limit, a lost race for locks (try again), and a standby that cannot write yet.
const UNAVAILABLE = /^(08...|53...|57P0[1-5]|58...|28...|3D000|57014|40001|40P01|55P03|25006)$/;

function sqlState(error: unknown): string | undefined {
  const code = errorCode(error);
  // No SQLSTATE begins with E, but system errors do, and EPIPE has five letters too.
  return code !== undefined && /^(?!E)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}
