/** Chance that comes out the same for the same seed. */
export interface Random {
  /** From 0 to 1, without 1. */
  next(): number;
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
  pick<Item>(items: readonly Item[]): Item;
  shuffled<Item>(items: readonly Item[]): Item[];
}

export function randomOf(seed: string): Random {
  let state = hashOf(seed);

  /** Mulberry32. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    between,
    pick: (items) => items[between(0, items.length - 1)] as (typeof items)[number],
    shuffled(items) {
      const left = [...items];
      const done: typeof left = [];
      while (left.length > 0) done.push(...left.splice(between(0, left.length - 1), 1));
      return done;
    },
  };
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
