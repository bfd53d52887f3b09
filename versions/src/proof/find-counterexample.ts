import fc from 'fast-check';
import type { JsonSchema } from '../contract/contract.ts';
import { isPart } from '../openapi/plain-data.ts';
import { arbitraryOf } from '../samples/arbitrary-of.ts';
import { limitsOf } from '../samples/limits-of.ts';
import { variationsOf } from '../samples/variations-of.ts';
import { validator } from '../schema/validator.ts';

export interface Verdict {
  /** What is wrong. */
  problem: string;
  /** What was made of the value; left out where nothing was. */
  became?: unknown;
}

/** A value that a schema allows and that shows a problem, as small as it could be made. */
export interface Counterexample extends Verdict {
  value: unknown;
}

export interface Search {
  schema: JsonSchema;
  /** Values that are tried first, as far as they fit. */
  examples: readonly unknown[];
  /** Other schemas, whose limits are tried too. */
  beside: readonly unknown[];
  /** Names of properties that matter. */
  names: ReadonlySet<string>;
  /** Returns what is wrong with a value that the schema allows; null if nothing is. */
  problemOf(value: unknown): Verdict | null;
}

/** Samples of a schema: so many by chance, and at most so many that differ from a usual one in one place. */
const RUNS = 50;
const VARIATIONS_MAX = 400;
const SEED = 20_260_701;
const SHRINKS_MAX = 500;

/** Tries samples of a schema, always the same ones, until one shows a problem. */
export function findCounterexample(search: Search): Counterexample | null {
  const { schema, problemOf } = search;
  const isAllowed = fitsIn(schema);
  const problemIn = (value: unknown): Verdict | null => (isAllowed(value) ? problemOf(value) : null);
  const bad =
    failingExample(search, problemIn) ?? failingVariation(search, problemIn) ?? failingRun(search, problemIn);
  const value = bad && shrunk(bad.found, problemIn);
  const verdict = problemIn(value);
  return verdict && { ...verdict, value };
}

function fitsIn(schema: JsonSchema): (value: unknown) => boolean {
  const validate = validator(schema);
  return (value) => validate(value).length === 0;
}

type Found = { found: unknown } | null;
type ProblemIn = (value: unknown) => Verdict | null;

function failingExample({ examples }: Search, problemIn: ProblemIn): Found {
  const index = examples.findIndex((value) => problemIn(value) !== null);
  return index < 0 ? null : { found: examples[index] };
}

function failingVariation({ schema, beside, names }: Search, problemIn: ProblemIn): Found {
  let left = VARIATIONS_MAX;
  for (const value of variationsOf(schema, { limits: limitsOf([schema, ...beside]), names })) {
    if (problemIn(value) !== null) return { found: value };
    left -= 1;
    if (left === 0) return null;
  }
  return null;
}

function failingRun({ schema, beside }: Search, problemIn: ProblemIn): Found {
  const arbitrary = arbitraryOf(schema, limitsOf([schema, ...beside]));
  const property = fc.property(arbitrary, (value) => problemIn(value) === null);
  const { counterexample } = fc.check(property, { numRuns: RUNS, seed: SEED });
  return counterexample ? { found: counterexample[0] } : null;
}

/** The same with everything left out that the problem does not need. */
function shrunk(value: unknown, problemIn: ProblemIn): unknown {
  let smallest = value;
  let left = SHRINKS_MAX;
  const isBad = (smaller: unknown): boolean => left-- > 0 && problemIn(smaller) !== null;
  for (let found: unknown = smallest; found !== undefined; ) {
    found = smallerOnes(smallest).find(isBad);
    if (found !== undefined) smallest = found;
  }
  return smallest;
}

/** The values that have one member or item less, here or below. */
function smallerOnes(value: unknown): unknown[] {
  if (Array.isArray(value)) {
    const without = value.map((_left, index) => value.toSpliced(index, 1));
    const below = value.flatMap((item, index) => smallerOnes(item).map((less) => value.with(index, less)));
    return [...without, ...below];
  }
  if (!isPart(value)) return [];
  const names = Object.keys(value);
  const without = names.map((name) =>
    Object.fromEntries(Object.entries(value).filter(([key]) => key !== name)),
  );
  const below = names.flatMap((name) => smallerOnes(value[name]).map((less) => ({ ...value, [name]: less })));
  return [...without, ...below];
}
