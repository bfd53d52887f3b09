import type { Change, Example } from '@dateline/versions';
import { describe, expect, it } from 'vitest';
import { apiSource } from '../../src/contracts/api.ts';
import { stepsOf } from '../support/contracts/contract-properties.ts';
import { writtenModules } from '../support/contracts/written-modules.ts';
import { exampleProblems, type Step } from '../support/service/example-problems.ts';

const source = apiSource();
const steps = stepsOf(source);
const modules = writtenModules().map(({ change, name, index }) => ({
  change,
  name,
  step: steps[index] as Step,
}));

/** The same change with its first example altered. */
function withFirst(change: Change, alter: (example: Example) => Example): Change {
  const [first, ...others] = change.examples;
  return { ...change, examples: [alter(first), ...others] };
}

describe('the examples of the changes', () => {
  it('belong to changes with unique names', () => {
    const names = modules.map(({ name }) => name);
    expect([...new Set(names)]).toEqual(names);
  });

  it.each(modules)('show what $name does, as the contracts and its code say', ({ change, step }) => {
    expect(exampleProblems(change, step)).toEqual([]);
  });

  it.each(modules)('of $name are rejected if the two sides are swapped', ({ change, step }) => {
    const swapped = withFirst(change, ({ before, after }) => ({ before: after, after: before }));
    expect(exampleProblems(swapped, step)).not.toEqual([]);
  });

  it.each(modules)('of $name are rejected if they show nothing', ({ change, step }) => {
    const idle = withFirst(change, ({ before }) => ({ before, after: before }));
    expect(exampleProblems(idle, step)).not.toEqual([]);
  });
});
