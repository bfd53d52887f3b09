/**
 * What may end a piece of work before its time, once. Like an `AbortSignal`, but with one listener at a time: to make a signal
 * and listen to it took as long as to send a request.
 */
export interface Cut {
  /** What the work has to end with; null while it may go on. A reason may be anything. */
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
