/** When a statement is struck: before the server has it, while it runs, after it was answered, or in the middle of the answer. */
export type Moment = 'before' | 'during' | 'after' | 'torn';

/** Cut: both sides see the connection end. Hold: all waits for `resume`. Silent: nothing arrives any more, and nobody is told. */
export type Blow = 'cut' | 'hold' | 'silent';

/** Something that is to happen to the next statements of this text. */
export interface Strike {
  text: RegExp;
  at: Moment;
  blow: Blow;
  /** So many of them. */
  times: number;
}

/** The strikes that wait for their statement. */
export interface Strikes {
  add(strike: Strike): void;
  /** The strike that this meets, which is then spent. */
  meet(texts: readonly string[]): Strike | null;
  /** How many statements were struck so far. */
  count(): number;
  clear(): void;
}

export function createStrikes(): Strikes {
  let waiting: Strike[] = [];
  let struck = 0;
  return {
    add: (strike) => void waiting.push({ ...strike }),
    meet(texts) {
      const met = waiting.find(({ text }) => texts.some((one) => text.test(one)));
      if (!met) return null;
      met.times -= 1;
      waiting = waiting.filter(({ times }) => times > 0);
      struck += 1;
      return met;
    },
    count: () => struck,
    clear() {
      waiting = [];
    },
  };
}
