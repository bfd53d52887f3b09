/**
 * Something the operator has to fix before the service can run. Its message is one sentence that names the
 * setting or the file and the remedy; the command line prints it without a stack trace and exits with 1.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
