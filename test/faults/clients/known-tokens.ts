import type { Random } from '../seeded/random.ts';

/** Tokens that clients have been given, the newest last. */
export interface KnownTokens {
  add(...tokens: readonly (string | undefined)[]): void;
  /** Mostly new ones, some of any age. */
  sample(random: Random, count: number): string[];
  all(): readonly string[];
}

const NEW = 120;

export function createKnownTokens(): KnownTokens {
  const known: string[] = [];
  return {
    add(...tokens) {
      for (const token of tokens) if (token !== undefined) known.push(token);
    },
    sample(random, count) {
      const recent = known.slice(-NEW);
      return Array.from({ length: Math.min(count, recent.length) }, () =>
        random.pick(random.next() < 0.7 ? recent : known),
      );
    },
    all: () => known,
  };
}
