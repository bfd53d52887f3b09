import { type PatternTree, patternTree } from './pattern-tree.ts';

/** The longest value whose pattern can only be matched by trying: 2 to the power of this is a matter of milliseconds. */
export const TRIED_LENGTH_MAX = 16;

/**
 * A regular expression with the flag u that is matched in linear time: all ways to match are followed at once, character by
 * character. One that looks around, or repeats what a group has matched, cannot be: it is tried on short values alone.
 */
export class LinearPattern extends RegExp {
  readonly #matches: ((value: string) => boolean) | null;

  constructor(pattern: string) {
    super(pattern, 'u');
    const program = programOf(patternTree(pattern));
    this.#matches = program && matcherOf(program);
  }

  override test(value: string): boolean {
    if (this.#matches) return this.#matches(value);
    return value.length <= TRIED_LENGTH_MAX && super.test(value);
  }
}

/** True if it is matched in linear time at any length. */
export function isLinear(pattern: string): boolean {
  return programOf(patternTree(pattern)) !== null;
}

type Instruction =
  | { is: 'character'; takes: (character: string) => boolean }
  | { is: 'edge'; holds: (around: Around) => boolean }
  | { is: 'fork'; to: number[] };

/** Each instruction goes on with the next one, a fork with those that it names. Behind the last one is a match. */
type Program = readonly Instruction[];

const INSTRUCTIONS_MAX = 10_000;

function programOf(tree: PatternTree): Program | null {
  const program: Instruction[] = [];
  let isWritten = true;

  function write(node: PatternTree): void {
    if (program.length > INSTRUCTIONS_MAX) isWritten = false;
    if (!isWritten) return;
    switch (node.is) {
      case 'character':
        program.push({ is: 'character', takes: takerOf(node.source) });
        break;
      case 'edge':
        program.push({ is: 'edge', holds: edges[node.source] ?? (() => false) });
        break;
      case 'sequence':
        node.parts.forEach(write);
        break;
      case 'choice':
        writeChoice(node.parts);
        break;
      case 'repeat':
        writeRepeat(node.body, node.min, node.max);
        break;
      default:
        isWritten = false;
    }
  }

  function fork(): number[] {
    const to: number[] = [program.length + 1];
    program.push({ is: 'fork', to });
    return to;
  }

  function writeChoice([first, ...others]: readonly PatternTree[]): void {
    if (first === undefined) return;
    if (others.length === 0) return write(first);
    const start = fork();
    write(first);
    const end = fork();
    end.length = 0;
    start.push(program.length);
    writeChoice(others);
    end.push(program.length);
  }

  function writeRepeat(body: PatternTree, min: number, max: number): void {
    for (let count = 0; count < min && isWritten; count++) write(body);
    if (max === Number.POSITIVE_INFINITY) {
      const start = fork();
      const at = program.length - 1;
      write(body);
      fork().splice(0, 1, at);
      start.push(program.length);
      return;
    }
    const skips: number[][] = [];
    for (let count = min; count < max && isWritten; count++) {
      skips.push(fork());
      write(body);
    }
    for (const skip of skips) skip.push(program.length);
  }

  write(tree);
  return isWritten ? program : null;
}

/** One character at a time, as JavaScript itself would take it. */
function takerOf(source: string): (character: string) => boolean {
  const one = new RegExp(`^(?:${source})$`, 'u');
  return (character) => one.test(character);
}

/** The characters on both sides of a place; empty at the ends. */
interface Around {
  before: string;
  after: string;
}

const isOfWord = (character: string): boolean => /^\w$/.test(character);
const edges: Readonly<Record<string, (around: Around) => boolean>> = {
  '^': ({ before }) => before === '',
  $: ({ after }) => after === '',
  '\\b': ({ before, after }) => isOfWord(before) !== isOfWord(after),
  '\\B': ({ before, after }) => isOfWord(before) === isOfWord(after),
};

/** Where matching has come to, and where each character has led from there. */
interface State {
  locations: ReadonlySet<number>;
  next: Map<string, State | 'match'>;
}

/** So many steps are remembered; a text that needs more takes longer, in proportion to its length. */
const STEPS_MAX = 5_000;

/** Matches one value after the other. A match may begin anywhere. */
function matcherOf(program: Program): (value: string) => boolean {
  const start: State = { locations: new Set(), next: new Map() };
  const states = new Map<string, State>([['', start]]);
  let steps = 0;

  function step(from: State, before: string, after: string): State | 'match' {
    // Only the edges of words need to know which character came before.
    const key = before === '' || isOfWord(before) ? `${before && 'w'}|${after}` : after;
    const known = from.next.get(key);
    if (known) return known;
    const to = stateOf(placesAfter(program, from.locations, { before, after }));
    steps += 1;
    if (steps <= STEPS_MAX) from.next.set(key, to);
    return to;
  }

  function stateOf(locations: ReadonlySet<number> | null): State | 'match' {
    if (locations === null) return 'match';
    const name = [...locations].sort((one, other) => one - other).join();
    const state = states.get(name) ?? { locations, next: new Map() };
    if (steps <= STEPS_MAX) states.set(name, state);
    return state;
  }

  return (value) => {
    let state: State | 'match' = start;
    let before = '';
    for (const after of value) {
      state = step(state, before, after);
      if (state === 'match') return true;
      before = after;
    }
    return step(state, before, '') === 'match';
  };
}

/** Where a character leads; null where a match is complete before it. */
function placesAfter(program: Program, from: ReadonlySet<number>, around: Around): Set<number> | null {
  const locations = new Set<number>();
  const open = new Set(from).add(0);
  for (const location of open) {
    const instruction = program[location];
    if (instruction === undefined) return null;
    if (instruction.is === 'fork') for (const to of instruction.to) open.add(to);
    if (instruction.is === 'edge' && instruction.holds(around)) open.add(location + 1);
    if (instruction.is === 'character' && around.after !== '' && instruction.takes(around.after))
      locations.add(location + 1);
  }
  return locations;
}
