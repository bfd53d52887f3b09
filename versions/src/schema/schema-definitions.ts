import { valueBelow } from '../openapi/json-pointer.ts';
import { heldBy } from '../openapi/openapi-grammar.ts';
import { isPart } from '../openapi/plain-data.ts';

/** The beginning of references from a schema of a contract to its definitions. */
export const DEFINITIONS = '#/$defs/';

/** The definition that a reference leads to; undefined where there is none. */
export function definitionIn(definitions: unknown, reference: string): unknown {
  return reference.startsWith(DEFINITIONS)
    ? valueBelow(definitions, reference.slice(DEFINITIONS.length))
    : undefined;
}

const known = new WeakMap<object, ReadonlySet<string>>();

/** The names of the definitions that a schema refers to, those in its definitions aside. */
export function definitionsIn(schema: unknown): ReadonlySet<string> {
  if (!isPart(schema)) return new Set();
  const names = known.get(schema) ?? findDefinitions(schema);
  known.set(schema, names);
  return names;
}

function findDefinitions(schema: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const { $ref } = schema;
  const own =
    typeof $ref === 'string' && $ref.startsWith(DEFINITIONS) ? [$ref.slice(DEFINITIONS.length)] : [];
  const held = heldBy('schema', schema).filter(({ keys: [keyword] }) => keyword !== '$defs');
  return new Set([...own, ...held.flatMap(({ value }) => [...definitionsIn(value)])]);
}
