import type { JsonSchema } from '../contract/contract.ts';
import { mapHeld } from '../openapi/openapi-grammar.ts';
import { isPart } from '../openapi/plain-data.ts';
import { LinearPattern, TRIED_LENGTH_MAX } from './patterns/linear-pattern.ts';
import { isExponential } from './patterns/pattern-judge.ts';

/** The same schema, with ours in the place of checks that the compiler makes in more than linear time. */
export function boundedSchema(schema: JsonSchema): JsonSchema {
  const { uniqueItems, pattern, ...rest } = mapHeld('schema', schema, ({ value }) =>
    isPart(value) ? boundedSchema(value) : value,
  );
  return withShortNames({
    ...rest,
    ...(pattern === undefined ? {} : { pattern: boundedPattern(pattern) }),
    ...(uniqueItems === true ? { '~refine': [UNIQUE_ITEMS] } : {}),
  });
}

function boundedPattern(pattern: unknown): unknown {
  return typeof pattern === 'string' && isExponential(pattern) ? new LinearPattern(pattern) : pattern;
}

/** The compiler makes expressions of the keys of `patternProperties` itself: they are tried on short names alone. */
function withShortNames(schema: JsonSchema): JsonSchema {
  if (!isPart(schema.patternProperties) || !Object.keys(schema.patternProperties).some(isExponential))
    return schema;
  const areShort = { propertyNames: { maxLength: TRIED_LENGTH_MAX } };
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return { if: areShort, then: schema, else: false };
}

/** The compiler gathers all that are there twice into a list, and copies that list for each one more. */
const UNIQUE_ITEMS = {
  check: (value: unknown): boolean => !Array.isArray(value) || areUnique(value),
  error: (): string => 'must not have duplicate items',
};

function areUnique(items: readonly unknown[]): boolean {
  const known = new Set<unknown>();
  for (const item of items) {
    // Text of ours begins with a bracket, so no item is taken for it.
    const key = typeof item === 'object' && item !== null ? sortedText(item) : asKey(item);
    if (known.has(key)) return false;
    known.add(key);
  }
  return true;
}

const asKey = (item: unknown): unknown => (typeof item === 'string' ? `"${item}` : item);

/** The same for objects that differ in the order of their names. */
function sortedText(value: object): string {
  return JSON.stringify(value, (_name, item: unknown) =>
    isPart(item)
      ? Object.fromEntries(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)))
      : item,
  );
}
