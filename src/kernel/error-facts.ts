/** The code of an error of Node or of a library, such as `ENOENT`; undefined for errors that have none. */
export function errorCode(error: unknown): string | undefined {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error;
  return hasCode && typeof error.code === 'string' ? error.code : undefined;
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** For the log. */
export function errorStack(error: unknown): string {
  return (error instanceof Error ? error.stack : undefined) ?? String(error);
}

/** Anything can be thrown; an error stays as it is. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
