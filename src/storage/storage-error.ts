/** The database could not be asked: the caller is told 503 and may try again. */
export class StorageUnavailableError extends Error {
  override readonly name = 'StorageUnavailableError';
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/**
 * Sorts what a driver throws. An error with an SQLSTATE is the database's own answer; anything else that a
 * driver throws means that no answer came. A mistake in our code (TypeError and its like) stays what it is.
 */
export function fromDriver(error: unknown): unknown {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof StorageUnavailableError)
    return error;
  const state = sqlState(error);
  if (state === undefined) return new StorageUnavailableError(error);
  return UNAVAILABLE.test(state) ? new StorageUnavailableError(error) : error;
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

// Connection trouble, lack of resources, shutdown or start-up of the server, a statement cut off by its time
// limit, and a standby that cannot write (during a failover).
const UNAVAILABLE = /^(08...|53...|57P0[1-5]|57014|25006)$/;

function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}
