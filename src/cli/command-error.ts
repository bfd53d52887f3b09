/** The caller's mistake, or an error on the way: printed in one line, without a stack trace. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

export function usageError(message: string): CommandError {
  return new CommandError(message, 2);
}
