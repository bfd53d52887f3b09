import { type PatternTree, patternTree } from './pattern-tree.ts';

/**
 * True if a regular expression can take a time that doubles with every few characters, as `^(a+)+$` does: a loop that can read
 * one text in two ways can read it twice as long in four. That is decided on its automaton (Weideman and others, "Analyzing
 * matching time behavior of backtracking regular expression matchers by using ambiguity of NFA", 2016).
 */
export function isExponential(pattern: string): boolean {
  const known = verdicts.get(pattern) ?? (mayLoop(pattern) && hasAmbiguousLoop(patternTree(pattern)));
  verdicts.set(pattern, known);
  return known;
}

const verdicts = new Map<string, boolean>();

/** Only a group that is repeated can read a text in several ways: most patterns have none, and are not even parsed. */
function mayLoop(pattern: string): boolean {
  return /\)[*+{]/.test(pattern);
}

function hasAmbiguousLoop(tree: PatternTree): boolean {
  return partsToJudge(tree).some((part) => {
    const automaton = automatonOf(part);
    return automaton.isCountedBlank || loopsOf(automaton).some((loop) => isAmbiguous(automaton, loop));
  });
}

/** An expression, and each that it only looks at, which is matched by itself. */
function partsToJudge(tree: PatternTree): PatternTree[] {
  const looks: PatternTree[] = [];
  const collect = (node: PatternTree): void => {
    if (node.is === 'look') looks.push(node.body);
    if (node.is === 'look' || node.is === 'repeat') collect(node.body);
    if (node.is === 'sequence' || node.is === 'choice') node.parts.forEach(collect);
  };
  collect(tree);
  return [tree, ...looks];
}

/** Glushkov's automaton: a position for each character of the expression, and which may follow on which. */
interface Automaton {
  /** The expression of each position. */
  sources: string[];
  /** From position to position, with how many ways there are to go from one to the other. */
  follow: Map<number, number>[];
  /** Something that may be empty is repeated a great number of times, which is counted and not given up. */
  isCountedBlank: boolean;
}

interface Fragment {
  isBlank: boolean;
  first: readonly number[];
  last: readonly number[];
}

/** Repetitions up to so many are written out; more are taken for a loop without end. */
const WRITTEN_OUT_MAX = 9;
const POSITIONS_MAX = 400;
const NOTHING: Fragment = { isBlank: true, first: [], last: [] };

function automatonOf(tree: PatternTree): Automaton {
  const automaton: Automaton = { sources: [], follow: [], isCountedBlank: false };

  function connect(from: readonly number[], to: readonly number[]): void {
    for (const one of from)
      for (const other of to) {
        const ways = automaton.follow[one];
        ways?.set(other, (ways.get(other) ?? 0) + 1);
      }
  }

  function inRow(left: Fragment, right: Fragment): Fragment {
    connect(left.last, right.first);
    return {
      isBlank: left.isBlank && right.isBlank,
      first: left.isBlank ? [...left.first, ...right.first] : left.first,
      last: right.isBlank ? [...left.last, ...right.last] : right.last,
    };
  }

  function read(node: PatternTree): Fragment {
    switch (node.is) {
      case 'character': {
        const position = automaton.sources.push(node.source) - 1;
        automaton.follow.push(new Map());
        return { isBlank: false, first: [position], last: [position] };
      }
      case 'sequence':
        return node.parts.map(read).reduce(inRow, NOTHING);
      case 'choice': {
        const parts = node.parts.map(read);
        return {
          isBlank: parts.some(({ isBlank }) => isBlank),
          first: parts.flatMap(({ first }) => first),
          last: parts.flatMap(({ last }) => last),
        };
      }
      case 'repeat':
        return repeat(node);
      default:
        return NOTHING;
    }
  }

  function repeat({ body, min, max }: Extract<PatternTree, { is: 'repeat' }>): Fragment {
    if (max === 0) return NOTHING;
    const once = read(body);
    const isBlank = once.isBlank || min === 0;
    if (max > WRITTEN_OUT_MAX || automaton.sources.length > POSITIONS_MAX) {
      if (Number.isFinite(max) && once.isBlank && once.first.length > 0) automaton.isCountedBlank = true;
      connect(once.last, once.first);
      return { ...once, isBlank };
    }
    let whole: Fragment = { ...once, isBlank: once.isBlank || min < 1 };
    for (let count = 1; count < max; count++) {
      const again = read(body);
      whole = inRow(whole, { ...again, isBlank: again.isBlank || min <= count });
    }
    return whole;
  }

  read(tree);
  return automaton;
}

/** The sets of positions that lead to each other. */
function loopsOf({ follow }: Automaton): Set<number>[] {
  const reach = follow.map((_ways, position) => reachableFrom(follow, position));
  const loops = new Map<string, Set<number>>();
  for (const [position, reached] of reach.entries()) {
    if (!reached.has(position)) continue;
    const loop = [...reached].filter((other) => reach[other]?.has(position));
    loops.set(loop.sort((one, other) => one - other).join(), new Set(loop));
  }
  return [...loops.values()];
}

function reachableFrom(follow: readonly Map<number, number>[], start: number): Set<number> {
  const reached = new Set<number>();
  const waiting = [start];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const other of follow[next]?.keys() ?? [])
      if (!reached.has(other)) {
        reached.add(other);
        waiting.push(other);
      }
  return reached;
}

/** Two who walk the loop with the same text, from one position: whether they can part and meet again. */
function isAmbiguous({ sources, follow }: Automaton, loop: ReadonlySet<number>): boolean {
  const inLoop = (position: number): number[] =>
    [...(follow[position]?.keys() ?? [])].filter((other) => loop.has(other));
  const hasTwoWays = [...loop].some((one) => inLoop(one).some((other) => (follow[one]?.get(other) ?? 0) > 1));
  if (hasTwoWays) return true;
  const overlap = overlapsOf(sources, loop);
  const pairs = new Map<string, [number, number]>();
  const back = new Map<string, string[]>();
  const waiting = [...loop].map((position): [number, number] => [position, position]);
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const from = pair.join();
    if (pairs.has(from)) continue;
    pairs.set(from, pair);
    for (const one of inLoop(pair[0]))
      for (const other of inLoop(pair[1])) {
        if (one !== other && !overlap(one, other)) continue;
        const to = `${one},${other}`;
        back.set(to, [...(back.get(to) ?? []), from]);
        waiting.push([one, other]);
      }
  }
  return canMeetAgain([...pairs.values()], back);
}

function canMeetAgain(
  pairs: readonly [number, number][],
  back: ReadonlyMap<string, readonly string[]>,
): boolean {
  const meeting = new Set<string>();
  const waiting = pairs.filter(([one, other]) => one === other).map((pair) => pair.join());
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (meeting.has(next)) continue;
    meeting.add(next);
    waiting.push(...(back.get(next) ?? []));
  }
  return pairs.some((pair) => pair[0] !== pair[1] && meeting.has(pair.join()));
}

/** Tells if two positions take a character in common: tried with ASCII, those of the expression, and some of other scripts. */
function overlapsOf(
  sources: readonly string[],
  loop: ReadonlySet<number>,
): (one: number, other: number) => boolean {
  const named = [...loop].flatMap((position) => [...(sources[position] ?? '')]);
  const around = named.flatMap((one) => [-1, 0, 1].map((step) => (one.codePointAt(0) ?? 0) + step));
  const ascii = Array.from({ length: 128 }, (_, code) => code);
  const others = [...'\u00a0ªµÀéßİſȺΩЖאعअกあア中한ǅ٣²½€“ \u2028\u3000\ufeff😀𝒳'].map(
    (one) => one.codePointAt(0) ?? 0,
  );
  const tried = [...new Set([...ascii, ...around, ...others])]
    .filter((code) => code >= 0 && code <= 0x10ffff)
    .map((code) => String.fromCodePoint(code));
  const taken = new Map(
    [...loop].map((position) => {
      const one = new RegExp(`^(?:${sources[position]})$`, 'u');
      return [position, new Set(tried.filter((text) => one.test(text)))];
    }),
  );
  return (one, other) => [...(taken.get(one) ?? [])].some((text) => taken.get(other)?.has(text));
}
