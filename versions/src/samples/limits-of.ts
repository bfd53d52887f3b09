import { valueBelow } from '../openapi/json-pointer.ts';
import { heldBy } from '../openapi/openapi-grammar.ts';
import { isPart } from '../openapi/plain-data.ts';
import { definitionIn } from '../schema/schema-definitions.ts';

/** Numbers at which schemas change their minds. Values beside them are the ones that show that two schemas differ. */
export interface Limits {
  numbers: readonly number[];
  /** Of texts and lists. */
  lengths: readonly number[];
}

const LIMITS_MAX = 40;
const PLACES_MAX = 5_000;
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];
const LENGTHS = ['minLength', 'maxLength', 'minItems', 'maxItems'];

/** The limits of all values that some schemas describe, and what is just beside them. */
export function limitsOf(schemas: readonly unknown[]): Limits {
  const [numbers, lengths] = [new Set([0]), new Set([0])];
  for (const schema of reachableFrom(schemas)) {
    gather(schema, NUMBERS, numbers);
    gather(schema, LENGTHS, lengths);
  }
  return {
    numbers: [...numbers].slice(0, LIMITS_MAX),
    lengths: [...lengths].filter((length) => length >= 0).slice(0, LIMITS_MAX),
  };
}

function gather(schema: Readonly<Record<string, unknown>>, keywords: readonly string[], found: Set<number>) {
  for (const keyword of keywords) {
    const limit = schema[keyword];
    if (typeof limit !== 'number') continue;
    for (const near of [limit, limit - 1, limit + 1]) found.add(near);
  }
}

/** Each schema once, however often it is referred to. */
function reachableFrom(schemas: readonly unknown[]): Set<Readonly<Record<string, unknown>>> {
  const found = new Set<Readonly<Record<string, unknown>>>();
  const places = schemas.map((schema) => ({ schema, definitions: valueBelow(schema, '$defs') }));
  for (const { schema, definitions } of places) {
    if (!isPart(schema) || found.has(schema) || found.size >= PLACES_MAX) continue;
    found.add(schema);
    for (const { keys, value } of heldBy('schema', schema))
      if (keys[0] !== '$defs') places.push({ schema: value, definitions });
    if (typeof schema.$ref === 'string')
      places.push({ schema: definitionIn(definitions, schema.$ref), definitions });
  }
  return found;
}
