import { heldBy } from '../openapi/openapi-grammar.ts';
import { below, type Location, type OpenApiReading } from '../openapi/openapi-reading.ts';
import { isPart } from '../openapi/plain-data.ts';
import { isDropped } from './schema-keywords.ts';

/** Where the references of schemas lead. */
export interface SchemaGraph {
  /** Why no check of what stands at this path would come to an end; null where it does. */
  problemOf(path: string): string | null;
}

const REFERENCES_MAX = 100;

export function createSchemaGraph(reading: OpenApiReading): SchemaGraph {
  const known = new Map<string, readonly Location[]>();
  const lengths = new Map<string, number>();

  /** The places that a schema refers to for its own value, not for one of its properties or items. */
  function referencesOf(location: Location): readonly Location[] {
    const references = known.get(location.path) ?? referencesIn(location);
    known.set(location.path, references);
    return references;
  }

  function referencesIn(location: Location): Location[] {
    if (!isPart(location.value)) return [];
    const to = typeof location.value.$ref === 'string' ? reading.refer(location) : null;
    const held = heldBy('schema', location.value).filter(
      ({ keys: [keyword = ''] }) => ABOUT_THE_SAME.has(keyword) && !isDropped(keyword),
    );
    return [...(to ? [to] : []), ...held.flatMap(({ keys }) => referencesIn(below(location, ...keys)))];
  }

  /** The most references that follow each other for one value; infinite where they lead back to where they began. */
  function longestFrom(location: Location, passed: ReadonlySet<string>): number {
    if (passed.has(location.path)) return Number.POSITIVE_INFINITY;
    if (passed.size > REFERENCES_MAX) return 0;
    const found = lengths.get(location.path);
    if (found !== undefined) return found;
    const further = new Set([...passed, location.path]);
    const longest = Math.max(0, ...referencesOf(location).map((to) => 1 + longestFrom(to, further)));
    lengths.set(location.path, longest);
    return longest;
  }

  return {
    problemOf(path) {
      const longest = longestFrom(reading.at(path), new Set());
      if (longest === Number.POSITIVE_INFINITY) return 'it leads back to itself for one and the same value';
      return longest >= REFERENCES_MAX
        ? `more than ${REFERENCES_MAX} references follow each other for one and the same value`
        : null;
    },
  };
}

const ABOUT_THE_SAME = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas']);
