import { pointerBelow } from '../../openapi/json-pointer.ts';
import { heldBy, type OpenApiKind } from '../../openapi/openapi-grammar.ts';
import type { OpenApiProblem } from '../../openapi/openapi-problem.ts';
import { isPart, type OpenApiDocument, type Part } from '../../openapi/plain-data.ts';
import { isLinear, TRIED_LENGTH_MAX } from './linear-pattern.ts';
import { isExponential } from './pattern-judge.ts';

/** A pattern of a document that can take exponential time where it is matched as JavaScript does it. */
export interface SlowPattern {
  /** Where it stands, as a JSON pointer. */
  path: string;
  pattern: string;
  /** Why it does no harm in a version that can no longer be mended. */
  handling: string;
}

/** Every slow pattern, in the order of the document. */
export function slowPatterns(document: OpenApiDocument): SlowPattern[] {
  const found: SlowPattern[] = [];
  const visit = (kind: OpenApiKind, value: unknown, path: string): void => {
    if (!isPart(value)) return;
    if (kind === 'schema') found.push(...slowIn(value, path));
    for (const held of heldBy(kind, value)) visit(held.kind, held.value, pointerBelow(path, ...held.keys));
  };
  visit('document', document, '');
  return found;
}

/** The same as what is wrong with a document that can still be mended. */
export function slowPatternProblems(document: OpenApiDocument): OpenApiProblem[] {
  return slowPatterns(document).map(({ path, pattern }) => ({
    path,
    reason: `the pattern ${pattern} can take exponential time; write it so that each text can be read in one way only`,
  }));
}

function slowIn({ pattern, patternProperties }: Part, path: string): SlowPattern[] {
  const ofNames = isPart(patternProperties) ? Object.keys(patternProperties) : [];
  return [
    ...(isSlow(pattern)
      ? [{ path: pointerBelow(path, 'pattern'), pattern, handling: isLinear(pattern) ? LINEAR : TRIED }]
      : []),
    ...ofNames.filter(isSlow).map((name) => ({
      path: pointerBelow(path, 'patternProperties', name),
      pattern: name,
      handling: TRIED,
    })),
  ];
}

const LINEAR = 'it is matched in linear time';
const TRIED = `it is matched up to ${TRIED_LENGTH_MAX} characters only, and longer ones are refused`;

function isSlow(pattern: unknown): pattern is string {
  if (typeof pattern !== 'string') return false;
  try {
    return isExponential(pattern);
  } catch {
    // No expression at all, which others find fault with.
    return false;
  }
}
