import { createUnderWay } from '../outbound/under-way.ts';

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
  const waiting = createUnderWay<{ atMs: number; expire(): void }>();
  let isTimed = false;

  function awaitFirst(): void {
    const first = waiting.first();
    isTimed = first !== undefined;
    if (first) setTimeout(expireFirst, first.atMs - performance.now()).unref();
  }

  function expireFirst(): void {
    const nowMs = performance.now();
    const over = waiting.all().filter(({ item }) => item.atMs <= nowMs);
    for (const begun of over) begun.end();
    awaitFirst();
    for (const { item } of over) item.expire();
  }

  return {
    start(expire) {
      const begun = waiting.begin({ atMs: performance.now() + spanMs, expire });
      if (!isTimed) awaitFirst();
      return begun.end;
    },
  };
}
