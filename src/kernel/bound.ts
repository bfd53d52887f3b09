export interface BoundOptions {
  /** How many pieces of work are done at the same time. */
  atOnceMax: number;
  /** How many more may wait; another one is refused at once. */
  waitingMax: number;
  refusal(): Error;
}

export type Bound = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Does a few pieces of work at a time, in the order in which they came. */
export function createBound({ atOnceMax, waitingMax, refusal }: BoundOptions): Bound {
  const waiting: (() => void)[] = [];
  let free = atOnceMax;

  async function enter(): Promise<void> {
    if (free > 0) {
      free -= 1;
      return;
    }
    if (waiting.length >= waitingMax) throw refusal();
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }

  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
