/** So many at once; whoever comes later waits for a turn, in the order of arrival. */
export interface Permits {
  /** Answers with what gives the permit back. Rejects with the refusal if there is no turn within the limit. */
  take(limitMs: number, refusal: () => Error): Promise<() => void>;
  waiting(): number;
}

export function createPermits(most: number): Permits {
  const queue = new Set<() => void>();
  let taken = 0;

  function giveBack(): void {
    const [next] = queue;
    if (next === undefined) {
      taken -= 1;
      return;
    }
    // It goes from hand to hand.
    queue.delete(next);
    next();
  }

  return {
    async take(limitMs, refusal) {
      if (taken < most) taken += 1;
      else await turn(queue, limitMs, refusal);
      return once(giveBack);
    },
    waiting: () => queue.size,
  };
}

function turn(queue: Set<() => void>, limitMs: number, refusal: () => Error): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      queue.delete(begin);
      reject(refusal());
    }, limitMs);
    const begin = (): void => {
      clearTimeout(timer);
      resolve();
    };
    queue.add(begin);
  });
}

function once(call: () => void): () => void {
  let called = false;
  return () => {
    if (called) return;
    called = true;
    call();
  };
}
