import { heldBy } from '../openapi/openapi-grammar.ts';
import { below, type Location, type OpenApiReading } from '../openapi/openapi-reading.ts';
import { isPart } from '../openapi/plain-data.ts';
import { isDropped } from './schema-keywords.ts';

/** Which schemas lead back to themselves. */
export interface SchemaGraph {
  /** True if what stands at this path refers to itself, however indirectly. */
  isRecursive(path: string): boolean;
  /** True if it does so for one and the same value: then no check of it would ever end. */
  isEndless(path: string): boolean;
}

interface Edge {
  to: Location;
  /** True if both are about the same value, not one about a property or an item of the other. */
  isSameValue: boolean;
}

export function createSchemaGraph(reading: OpenApiReading): SchemaGraph {
  const edges = new Map<string, readonly Edge[]>();

  function edgesOf(location: Location): readonly Edge[] {
    const known = edges.get(location.path) ?? edgesIn(location, true);
    edges.set(location.path, known);
    return known;
  }

  function edgesIn(location: Location, isSameValue: boolean): Edge[] {
    if (!isPart(location.value)) return [];
    const to = typeof location.value.$ref === 'string' ? reading.refer(location) : null;
    const held = heldBy('schema', location.value).filter(({ keys: [keyword = ''] }) => !isDropped(keyword));
    return [
      ...(to ? [{ to, isSameValue }] : []),
      ...held.flatMap(({ keys }) =>
        edgesIn(below(location, ...keys), isSameValue && ABOUT_THE_SAME.has(keys[0] ?? '')),
      ),
    ];
  }

  function leadsBack(path: string, isFollowed: (edge: Edge) => boolean): boolean {
    const reached = new Map<string, Location>();
    const visit = (location: Location): void => {
      for (const { to } of edgesOf(location).filter(isFollowed))
        if (!reached.has(to.path)) reached.set(to.path, to);
    };
    visit(reading.at(path));
    for (const location of reached.values()) visit(location);
    return reached.has(path);
  }

  const memo = (ask: (path: string) => boolean) => {
    const answers = new Map<string, boolean>();
    return (path: string): boolean => {
      const answer = answers.get(path) ?? ask(path);
      answers.set(path, answer);
      return answer;
    };
  };
  return {
    isRecursive: memo((path) => leadsBack(path, () => true)),
    isEndless: memo((path) => leadsBack(path, ({ isSameValue }) => isSameValue)),
  };
}

const ABOUT_THE_SAME = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas']);
