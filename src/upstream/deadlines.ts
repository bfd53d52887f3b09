/** Ends work that takes longer than a span, which is the same for all of it. */
export interface Deadlines {
  /** Begins now. Returns a function that takes it back. */
  start(expire: () => void): () => void;
}

/**
 * With one timer, for the work that has begun first: the others are later. To clear a timer for each call was a fortieth of what
 * the call costs.
 */
export function createDeadlines(spanMs: number): Deadlines {
  const waiting = new Set<{ atMs: number; expire(): void }>();
  let isTimed = false;

  function awaitFirst(): void {
    const [first] = waiting;
    isTimed = first !== undefined;
    if (first) setTimeout(expireFirst, first.atMs - performance.now()).unref();
  }

  function expireFirst(): void {
    const nowMs = performance.now();
    const over = [...waiting].filter(({ atMs }) => atMs <= nowMs);
    for (const deadline of over) waiting.delete(deadline);
    awaitFirst();
    for (const { expire } of over) expire();
  }

  return {
    start(expire) {
      const deadline = { atMs: performance.now() + spanMs, expire };
      waiting.add(deadline);
      if (!isTimed) awaitFirst();
      return () => void waiting.delete(deadline);
    },
  };
}
