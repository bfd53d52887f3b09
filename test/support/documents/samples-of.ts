import { type JsonSchema, sampleOf, validator } from '@dateline/versions';
import fc from 'fast-check';
import { arbitraryOf } from '../../../versions/src/samples/arbitrary-of.ts';
import { limitsOf } from '../../../versions/src/samples/limits-of.ts';

const COUNT = 8;
const known = new WeakMap<JsonSchema, readonly unknown[]>();

/** A few values that fit a schema, always the same ones; none where none is found. */
export function samplesOf(schema: JsonSchema, count: number = COUNT): readonly unknown[] {
  const found = known.get(schema) ?? fitting(schema, count);
  known.set(schema, found);
  return found;
}

function fitting(schema: JsonSchema, count: number): unknown[] {
  const validate = validator(schema);
  const drawn = fc.sample(arbitraryOf(schema, limitsOf([schema])), { numRuns: count * 4, seed: 1 });
  // As they are sent.
  const values = [sampleOf(schema), ...drawn].filter((value) => value !== undefined);
  const sent = values.map((value) => JSON.parse(JSON.stringify(value)) as unknown);
  return sent.filter((value) => validate(value).length === 0).slice(0, count);
}
