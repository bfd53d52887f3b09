import type { ApiStep } from '../compile/api-steps.ts';
import { changeFinder } from '../compile/check-api.ts';
import { foundDifferences } from '../compile/contract-differences.ts';
import { type Draft, type NamedDifference, undecided } from './draft.ts';
import { draftedFields } from './drafted-fields.ts';
import { draftedOperations } from './drafted-operations.ts';

/** A draft of the changes for all differences between two neighbours that no change touches yet. */
export function draftChanges(step: ApiStep): Draft[] {
  const changeAt = changeFinder(step.changes ?? []);
  const uncovered = [...foundDifferences(step.older, step.newer)].flatMap(([name, differences]) =>
    differences
      .filter(({ path }) => !changeAt(path))
      .map((difference): NamedDifference => ({ ...difference, name })),
  );
  const { drafts, left } = draftedOperations(uncovered, step);
  const fields = draftedFields(left, step);
  return [...drafts, ...fields.drafts, ...fields.left.map(unknownDifference)].filter(isFirst);
}

function unknownDifference({ path }: NamedDifference): Draft {
  const question = `${path} differs: write a change with functions by operation for it`;
  return undecided(question);
}

/** What is shared by many operations is drafted once. */
function isFirst({ code }: Draft, index: number, all: readonly Draft[]): boolean {
  return all.findIndex((other) => other.code === code) === index;
}
