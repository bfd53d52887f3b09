import { createRequire } from 'node:module';

/** A regular expression as far as it matters here. */
export type PatternTree =
  /** One character: the text of the expression for it. */
  | { is: 'character'; source: string }
  | { is: 'sequence' | 'choice'; parts: readonly PatternTree[] }
  | { is: 'repeat'; body: PatternTree; min: number; max: number }
  /** The beginning or the end of the text, or of a word. */
  | { is: 'edge'; source: string }
  /** A lookahead or lookbehind: matched, and not passed. */
  | { is: 'look'; body: PatternTree }
  /** A backreference. */
  | { is: 'repetition of a group' };

/** Reads an expression with the flag u, as JSON Schema has them. The parser is loaded when the first one needs it. */
export function patternTree(pattern: string): PatternTree {
  const { RegExpParser } = createRequire(import.meta.url)('@eslint-community/regexpp') as Parsing;
  return choiceOf(
    new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: true }).alternatives,
  );
}

/** As much of the parser as is needed. Its own types would have to be installed with the types of this package. */
interface Parsing {
  RegExpParser: new () => {
    parsePattern(
      source: string,
      start: number,
      end: number,
      flags: { unicode: true },
    ): { alternatives: Alternative[] };
  };
}

interface Alternative {
  elements: Element[];
}

type Element =
  | { type: 'Character' | 'CharacterSet' | 'CharacterClass' | 'ExpressionCharacterClass'; raw: string }
  | { type: 'Group' | 'CapturingGroup'; alternatives: Alternative[] }
  | { type: 'Quantifier'; element: Element; min: number; max: number }
  | { type: 'Backreference' }
  | { type: 'Assertion'; kind: 'lookahead' | 'lookbehind'; alternatives: Alternative[] }
  | { type: 'Assertion'; kind: 'start' | 'end' | 'word'; raw: string };

function choiceOf(alternatives: readonly Alternative[]): PatternTree {
  const parts = alternatives.map(
    ({ elements }): PatternTree => ({ is: 'sequence', parts: elements.map(treeOf) }),
  );
  const [only, ...others] = parts;
  return only && others.length === 0 ? only : { is: 'choice', parts };
}

function treeOf(element: Element): PatternTree {
  switch (element.type) {
    case 'Character':
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass':
      return { is: 'character', source: element.raw };
    case 'Group':
    case 'CapturingGroup':
      return choiceOf(element.alternatives);
    case 'Quantifier':
      return { is: 'repeat', body: treeOf(element.element), min: element.min, max: element.max };
    case 'Backreference':
      return { is: 'repetition of a group' };
    case 'Assertion':
      if ('alternatives' in element) return { is: 'look', body: choiceOf(element.alternatives) };
      return { is: 'edge', source: element.raw };
    default:
      return element satisfies never;
  }
}
