import fc from 'fast-check';
import type { JsonSchema } from '../contract/contract.ts';
import { validator } from '../schema/validator.ts';
import { arbitraryOf } from './arbitrary-of.ts';
import { limitsOf } from './limits-of.ts';

const DRAWN = 40;
const SEED = 20_261_001;

/** A value that fits a schema, drawn by chance and always the same one; for schemas of which `sampleOf` can make none. Undefined where none fits. */
export function drawnSample(schema: JsonSchema): unknown {
  const fits = validator(schema);
  const drawn = fc.sample(arbitraryOf(schema, limitsOf([schema])), { numRuns: DRAWN, seed: SEED });
  // As it is sent.
  const sent = drawn.filter((value) => value !== undefined).map((value) => JSON.parse(JSON.stringify(value)));
  return sent.find((value) => fits(value).length === 0);
}
