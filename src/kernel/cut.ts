/**
 * Ends a piece of work early, once. Like an `AbortSignal`, but with one listener at a time: creating a signal and
 * listening to it took as long as sending a request.
 */
export interface Cut {
  /** The reason to end; null while the work may go on. It may be any value. */
  made(): { reason: unknown } | null;
  /** The first reason counts. */
  make(reason: unknown): void;
  /** In place of who listened before; called at once where it has been made. */
  listen(listener: (reason: unknown) => void): void;
  ignore(): void;
}

export function createCut(): Cut {
  let made: { reason: unknown } | null = null;
  let listener: ((reason: unknown) => void) | null = null;
  return {
    made: () => made,
    make(reason) {
      if (made !== null) return;
      made = { reason };
      listener?.(reason);
    },
    listen(next) {
      listener = next;
      if (made !== null) next(made.reason);
    },
    ignore() {
      listener = null;
    },
  };
}
