import { randomOf } from './random.ts';

/** As much of a kind of fault as its share is drawn by. */
export interface Weighed {
  name: string;
  /** How often it is drawn, compared with others: 1, unless it takes long. */
  weight: number;
}

export interface PlannedFault {
  /** From 1 on; with the seed it settles everything that is drawn for this fault. */
  number: number;
  kind: string;
  part: number;
}

export interface PlanSize {
  faults: number;
  parts: number;
}

/** No kind is more than this share of all. */
export const SHARE_MAX = 0.05;

/** Draws the faults of all parts: every kind in its share, spread over the parts, and in an order of the seed. */
export function drawPlan(
  seed: string,
  kinds: readonly Weighed[],
  { faults, parts }: PlanSize,
): PlannedFault[] {
  const random = randomOf(`${seed}:plan`);
  const counts = sharesOf(random.shuffled(kinds), faults);
  const dealt: string[][] = Array.from({ length: parts }, () => []);
  // Dealt like cards, from a part that is drawn: none has all faults of a kind.
  let turn = random.between(0, parts - 1);
  for (const { name } of random.shuffled(kinds))
    for (let count = counts.get(name) ?? 0; count > 0; count -= 1) {
      dealt[turn % parts]?.push(name);
      turn += 1;
    }
  let number = 0;
  return dealt.flatMap((names, part) =>
    random.shuffled(names).map((kind) => {
      number += 1;
      return { number, kind, part: part + 1 };
    }),
  );
}

/** By weight, with the largest remainders rounded up, and none over the greatest share. Too few for all are drawn. */
function sharesOf(kinds: readonly Weighed[], faults: number): ReadonlyMap<string, number> {
  const most = Math.max(1, Math.floor(faults * SHARE_MAX));
  const total = kinds.reduce((sum, { weight }) => sum + weight, 0);
  const exact = kinds.map(({ name, weight }) => ({ name, share: (faults * weight) / total }));
  const counts = new Map(exact.map(({ name, share }) => [name, Math.min(most, Math.floor(share))]));
  const byRemainder =
    faults < kinds.length ? exact : exact.toSorted((one, other) => (other.share % 1) - (one.share % 1));
  let left = faults - [...counts.values()].reduce((sum, count) => sum + count, 0);
  while (left > 0) {
    const open = byRemainder.filter(({ name }) => (counts.get(name) ?? 0) < most);
    if (open.length === 0) throw new Error(`${kinds.length} kinds are too few for ${faults} faults`);
    for (const { name } of open.slice(0, left)) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      left -= 1;
    }
  }
  return counts;
}
