import { valueBelow } from '../openapi/json-pointer.ts';

/** The beginning of references from a schema of a contract to its definitions. */
export const DEFINITIONS = '#/$defs/';

/** The definition that a reference leads to; undefined where there is none. */
export function definitionIn(definitions: unknown, reference: string): unknown {
  return reference.startsWith(DEFINITIONS)
    ? valueBelow(definitions, reference.slice(DEFINITIONS.length))
    : undefined;
}
