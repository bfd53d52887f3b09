import { heldBy } from '../openapi/openapi-grammar.ts';
import { isPart, type Part } from '../openapi/plain-data.ts';
import { definitionIn } from '../schema/schema-definitions.ts';

/** The references that following this one may lead to, itself among them. */
export type ReachedFrom = (reference: string) => ReadonlySet<string>;

export function createReachedFrom(definitions: Part): ReachedFrom {
  const direct = new Map<string, ReadonlySet<string>>();
  const known = new Map<string, ReadonlySet<string>>();

  function directFrom(reference: string): ReadonlySet<string> {
    const found = direct.get(reference) ?? new Set(referencesIn(definitionIn(definitions, reference)));
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
    const reached = known.get(reference) ?? reachedFrom(reference);
    known.set(reference, reached);
    return reached;
  };
}

function referencesIn(schema: unknown): string[] {
  if (!isPart(schema)) return [];
  const own = typeof schema.$ref === 'string' ? [schema.$ref] : [];
  return [...own, ...heldBy('schema', schema).flatMap(({ value }) => referencesIn(value))];
}
