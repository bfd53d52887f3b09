export interface BoundOptions {
  /** Pieces of work at the same time. */
  atOnceMax: number;
  /** Pieces of work that may wait; one more is refused at once. */
  waitingMax?: number;
  /** The longest wait; then the work is refused. */
  waitMsMax?: number;
  refusal(): Error;
}

/** Keeps the place of a piece of work until this has settled, also after its result is there. */
export type KeepPlace = (until: Promise<unknown>) => void;

export interface Bound {
  /** Runs a piece of work when it is its turn: round-robin over `from`. Rejects with the refusal if it gets none. */
  run<Result>(work: (keep: KeepPlace) => Promise<Result>, from?: string): Promise<Result>;
  waiting(): number;
}

/** Runs a few pieces of work at a time, fairly: the many of one caller do not keep another's few waiting. */
export function createBound(options: BoundOptions): Bound {
  const { atOnceMax, waitingMax = Number.POSITIVE_INFINITY, waitMsMax, refusal } = options;
  /** The waiting work of each caller, in the order of turns; calling it begins the work. */
  const queues = new Map<string, Set<() => void>>();
  let running = 0;
  let waiting = 0;

  function turn(from: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = waitMsMax === undefined ? undefined : setTimeout(giveUp, waitMsMax);
      function begin(): void {
        clearTimeout(timer);
        resolve();
      }
      function giveUp(): void {
        dequeue(from, begin);
        reject(refusal());
      }
      waiting += 1;
      queues.set(from, (queues.get(from) ?? new Set()).add(begin));
    });
  }

  function dequeue(from: string, begin: () => void): void {
    waiting -= 1;
    const queue = queues.get(from);
    queue?.delete(begin);
    if (queue?.size === 0) queues.delete(from);
  }

  async function enter(from: string): Promise<void> {
    if (running < atOnceMax) running += 1;
    else if (waiting >= waitingMax) throw refusal();
    else await turn(from);
  }

  /** Hands the free place to the next in the queue directly: nothing that arrives now gets in between. */
  function leave(): void {
    const [first] = queues;
    const [from, queue] = first ?? [];
    const [next] = queue ?? [];
    if (from === undefined || queue === undefined || next === undefined) {
      running -= 1;
      return;
    }
    // To the end: whoever else waits has a turn before the next one of these.
    queues.delete(from);
    queues.set(from, queue);
    dequeue(from, next);
    next();
  }

  return {
    async run(work, from = '') {
      await enter(from);
      let kept: Promise<unknown> | undefined;
      try {
        return await work((until) => {
          kept = until;
        });
      } finally {
        if (kept) void kept.then(leave, leave);
        else leave();
      }
    },
    waiting: () => waiting,
  };
}
