import { valueBelow } from '../openapi/json-pointer.ts';
import { heldBy } from '../openapi/openapi-grammar.ts';
import { isPart, type Part } from '../openapi/plain-data.ts';

/** The beginning of references from a schema of a contract to its definitions. */
export const DEFINITIONS = '#/$defs/';

/** The name of the definition that a reference leads to. */
export function nameOfDefinition(reference: string): string {
  return reference.slice(DEFINITIONS.length).replaceAll('~1', '/').replaceAll('~0', '~');
}

/** A reference to the definition of a name. */
export function referenceToDefinition(name: string): string {
  return DEFINITIONS + name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The definition that a reference leads to; undefined where there is none. */
export function definitionIn(definitions: unknown, reference: string): unknown {
  return reference.startsWith(DEFINITIONS)
    ? valueBelow(definitions, reference.slice(DEFINITIONS.length))
    : undefined;
}

/** The references that following one may lead to, itself among them. */
export type ReachedFrom = (reference: string) => ReadonlySet<string>;

const known = new WeakMap<Part, ReachedFrom>();

/** Looked for once: definitions never change. */
export function reachedIn(definitions: Part): ReachedFrom {
  const found = known.get(definitions) ?? createReachedFrom(definitions);
  known.set(definitions, found);
  return found;
}

function createReachedFrom(definitions: Part): ReachedFrom {
  const direct = new Map<string, readonly string[]>();
  const all = new Map<string, ReadonlySet<string>>();

  function directFrom(reference: string): readonly string[] {
    const found = direct.get(reference) ?? referencesIn(definitionIn(definitions, reference));
    direct.set(reference, found);
    return found;
  }

  function reachedFrom(reference: string): ReadonlySet<string> {
    const reached = new Set([reference]);
    // What is added on the way is looked at too.
    for (const passed of reached) for (const further of directFrom(passed)) reached.add(further);
    return reached;
  }

  return (reference) => {
    const reached = all.get(reference) ?? reachedFrom(reference);
    all.set(reference, reached);
    return reached;
  };
}

/** The references of a schema itself. */
export function referencesIn(schema: unknown): string[] {
  const references = new Set<string>();
  for (const { $ref } of partsOf(schema)) if (typeof $ref === 'string') references.add($ref);
  return [...references];
}

/** A schema, and all that it holds. */
export function partsOf(schema: unknown): Part[] {
  const parts = isPart(schema) ? [schema] : [];
  for (const part of parts)
    for (const { value } of heldBy('schema', part)) if (isPart(value)) parts.push(value);
  return parts;
}
