export interface BoundOptions {
  /** How many pieces of work are done at the same time. */
  atOnceMax: number;
  /** How many more may wait; another one is refused at once. */
  waitingMax?: number;
  /** How long each of them may wait; then it is refused. */
  waitMsMax?: number;
  refusal(): Error;
}

export interface Bound {
  /** Does a piece of work when it is its turn; rejects with the refusal if it gets none. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  waiting(): number;
}

/** Does a few pieces of work at a time, in the order in which they came. */
export function createBound(options: BoundOptions): Bound {
  const { atOnceMax, waitingMax = Number.POSITIVE_INFINITY, waitMsMax, refusal } = options;
  /** In the order of arrival; each begins the work that waits. */
  const queue = new Set<() => void>();
  let running = 0;

  function turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = waitMsMax === undefined ? undefined : setTimeout(giveUp, waitMsMax);
      function begin(): void {
        clearTimeout(timer);
        resolve();
      }
      function giveUp(): void {
        queue.delete(begin);
        reject(refusal());
      }
      queue.add(begin);
    });
  }

  async function enter(): Promise<void> {
    if (running < atOnceMax) running += 1;
    else if (queue.size >= waitingMax) throw refusal();
    else await turn();
  }

  /** What ends makes room for what waits, from hand to hand: nothing that comes now gets in between. */
  function leave(): void {
    const [next] = queue;
    if (next === undefined) {
      running -= 1;
      return;
    }
    queue.delete(next);
    next();
  }

  return {
    async run(work) {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
    waiting: () => queue.size,
  };
}
