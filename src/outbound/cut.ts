/**
 * Ends a piece of work early, once. Like an `AbortSignal`, but with one listener at a time: creating a signal and
 * listening to it took as long as sending a request.
 */
export interface Cut {
  /** The first reason counts. */
  make(reason: Error): void;
  /** In place of who listened before; called at once where it has been made. */
  listen(listener: (reason: Error) => void): void;
  ignore(): void;
}

export function createCut(): Cut {
  let made: Error | null = null;
  let listener: ((reason: Error) => void) | null = null;
  return {
    make(reason) {
      if (made !== null) return;
      made = reason;
      listener?.(reason);
    },
    listen(next) {
      listener = next;
      if (made !== null) next(made);
    },
    ignore() {
      listener = null;
    },
  };
}
