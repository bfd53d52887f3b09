import { differencesByName } from '../compile/contract-differences.ts';
import type { Contract } from '../contract/contract.ts';
import { openApiProblemText } from '../openapi/openapi-problem.ts';
import type { OpenApiDocument } from '../openapi/plain-data.ts';
import { readOpenApi } from '../reading/read-openapi.ts';
import { expandChanges } from '../written/expand-changes.ts';
import type { WrittenChange } from '../written/written-change.ts';
import { stepProofProblems } from './prove-step.ts';

export interface TestedBetween {
  /** The OpenAPI documents of the two versions. */
  older: OpenApiDocument;
  newer: OpenApiDocument;
  /** The other changes between the two, in their order: those before it, and those after it. */
  before?: readonly WrittenChange[];
  after?: readonly WrittenChange[];
}

/**
 * Tests a change with samples, as `dateline contract check` does: in one line, in any test runner. Throws an error that holds each
 * problem in a line, with the sample that shows it.
 */
export function testChange(
  change: WrittenChange,
  { older, newer, before = [], after = [] }: TestedBetween,
): void {
  const [one, other] = [contractIn(older, 'older'), contractIn(newer, 'newer')];
  const set = { newer: other.version, older: one.version, changes: [...before, change, ...after] };
  const { changeSet, problems: unusable } = expandChanges(set, one, other);
  const { changes } = changeSet;
  const proved = stepProofProblems({
    older: one,
    newer: other,
    documents: { older, newer },
    changes,
    differing: differencesByName(one, other),
    folder: `the changes from ${other.version} to ${one.version}`,
  });
  const problems = [...unusable, ...proved];
  const name = changes.filter(({ codeOf }) => codeOf === undefined)[before.length]?.name ?? 'the change';
  if (problems.length > 0)
    throw new Error([`${name} does not bridge the two versions:`, ...problems].join('\n'));
}

function contractIn(document: OpenApiDocument, name: string): Contract {
  const { contract, problems } = readOpenApi(document, {
    errorShape: { name: 'problem', mediaType: 'application/problem+json', schema: {} },
    errors: {},
    examples: 'later',
    wrapEvent: (_kind, data) => data,
    wrapExample: (_kind, data) => ({ data }),
  });
  if (contract) return contract;
  throw new Error(
    [
      `The ${name} document cannot be read:`,
      ...problems.map((problem) => openApiProblemText(problem, name)),
    ].join('\n'),
  );
}
