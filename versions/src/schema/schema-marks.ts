import type { JsonSchema } from '../contract/contract.ts';
import { below, type Location, namedBelow, type OpenApiReading } from '../openapi/openapi-reading.ts';
import { isPart, type Part } from '../openapi/plain-data.ts';
import { definitionIn, partsOf, reachedIn, referencesIn } from './schema-definitions.ts';
import { statementsIn } from './text-shape.ts';

/** Properties that have no place in requests are `readOnly`, and in answers and events `writeOnly`. */
export type Mark = 'readOnly' | 'writeOnly';

const MARKS: readonly Mark[] = ['readOnly', 'writeOnly'];

/** Finds the marked properties in the schemas of a document. */
export interface MarkReading {
  /** True for a property that is marked, there or where it refers to. */
  isMarked(property: Location): boolean;
  /** The names of the properties that a schema marks, also by reference. */
  namesAt(schema: Location): ReadonlySet<string>;
}

export function createMarkReading(reading: OpenApiReading, mark: Mark): MarkReading {
  const known = new Map<string, ReadonlySet<string>>();

  function isMarked(location: Location, passed: readonly string[] = []): boolean {
    const { path, value } = location;
    if (!isPart(value) || passed.includes(path)) return false;
    if (value[mark] === true) return true;
    return [...referredBy(location), ...itemsIn(location, 'allOf')].some((to) =>
      isMarked(to, [...passed, path]),
    );
  }

  function referredBy(location: Location): Location[] {
    const to = isPart(location.value) && typeof location.value.$ref === 'string' && reading.refer(location);
    return to ? [to] : [];
  }

  function namesIn(location: Location): ReadonlySet<string> {
    const names = new Set<string>();
    const passed = new Set<string>();
    const waiting = [location];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (passed.has(next.path) || !isPart(next.value)) continue;
      passed.add(next.path);
      for (const [name, property] of namedBelow(below(next, 'properties')))
        if (isMarked(property)) names.add(name);
      const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => itemsIn(next as Location, keyword));
      waiting.push(...referredBy(next), ...parts);
    }
    return names;
  }

  return {
    isMarked: (property) => isMarked(property),
    namesAt(schema) {
      const found = known.get(schema.path) ?? namesIn(schema);
      known.set(schema.path, found);
      return found;
    },
  };
}

function itemsIn(location: Location, keyword: string): Location[] {
  const list = below(location, keyword);
  return Array.isArray(list.value) ? list.value.map((_item, index) => below(list, index)) : [];
}

/** True if a document has any such property: few have, and only those are read twice. */
export function hasMarks(document: unknown): boolean {
  const waiting = [document];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (isPart(next) && (next.readOnly === true || next.writeOnly === true)) return true;
    const held: unknown[] = typeof next === 'object' && next !== null ? Object.values(next) : [];
    for (const value of held) if (typeof value === 'object' && value !== null) waiting.push(value);
  }
  return false;
}

/** What a contract has in the place of a marked property: any value, and nothing more is said about it. */
export function isMarkAlone(schema: unknown): boolean {
  if (!isPart(schema)) return false;
  if (Array.isArray(schema.allOf) && schema.allOf.some(isMarkAlone)) return true;
  return Object.keys(schema).length === 1 && MARKS.some((mark) => schema[mark] === true);
}

/** Finds the marked members of values, as JSON pointers. */
export type MarkedMembers = (value: unknown) => string[];

/** Null where the schema, as a contract has it, marks nothing. */
export function markedMembers(schema: JsonSchema | null): MarkedMembers | null {
  if (schema === null || !reachesMark(schema)) return null;
  const { $defs: definitions } = schema;
  const statements = new WeakMap<object, readonly Part[]>();

  function said(part: unknown): readonly Part[] {
    if (!isPart(part)) return [];
    const found = statements.get(part) ?? statementsIn(part, definitions);
    statements.set(part, found);
    return found;
  }

  function find(value: unknown, schemas: readonly unknown[], path: string, found: string[]): void {
    if (typeof value !== 'object' || value === null) return;
    const parts = [...new Set(schemas.flatMap(said))];
    if (parts.length === 0) return;
    if (Array.isArray(value)) {
      const items = parts.flatMap(({ items, prefixItems, unevaluatedItems }) =>
        [items, prefixItems, unevaluatedItems].flat(),
      );
      value.forEach((item, index) => {
        find(item, items, `${path}/${index}`, found);
      });
      return;
    }
    for (const [name, member] of Object.entries(value)) {
      const below = schemasOf(parts, name);
      const pointer = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (below.some(isMarkAlone)) found.push(pointer);
      else find(member, below, pointer, found);
    }
  }

  return (value) => {
    const found: string[] = [];
    find(value, [schema], '', found);
    return found;
  };
}

/** What is said about a member by its name; else what is said about others. */
function schemasOf(parts: readonly Part[], name: string): unknown[] {
  const named = parts.flatMap(({ properties }) =>
    isPart(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [],
  );
  if (named.length > 0) return named;
  return parts.flatMap(({ additionalProperties, unevaluatedProperties, patternProperties }) => [
    additionalProperties,
    unevaluatedProperties,
    ...matching(patternProperties, name),
  ]);
}

const patterns = new Map<string, RegExp>();

function matching(patternProperties: unknown, name: string): unknown[] {
  return Object.entries(isPart(patternProperties) ? patternProperties : {}).flatMap(([pattern, schema]) => {
    const compiled = patterns.get(pattern) ?? new RegExp(pattern, 'u');
    patterns.set(pattern, compiled);
    return compiled.test(name) ? [schema] : [];
  });
}

function reachesMark({ $defs: definitions, ...root }: JsonSchema): boolean {
  if (holdsMark(root)) return true;
  if (!isPart(definitions)) return false;
  const reachedFrom = reachedIn(definitions);
  const reached = new Set(referencesIn(root).flatMap((reference) => [...reachedFrom(reference)]));
  return [...reached].some((reference) => holdsMark(definitionIn(definitions, reference)));
}

const marked = new WeakMap<Part, boolean>();

function holdsMark(schema: unknown): boolean {
  if (!isPart(schema)) return false;
  const found = marked.get(schema) ?? partsOf(schema).some(isMarkAlone);
  marked.set(schema, found);
  return found;
}

/** The value without its members at these places. */
export function withoutMembers(value: unknown, pointers: readonly string[]): unknown {
  if (pointers.length === 0) return value;
  const gone = new Set(pointers);
  const copy = (part: unknown, path: string): unknown => {
    if (Array.isArray(part)) return part.map((item, index) => copy(item, `${path}/${index}`));
    if (!isPart(part)) return part;
    const members = Object.entries(part).map(
      ([name, member]) =>
        [name, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, member] as const,
    );
    return Object.fromEntries(
      members
        .filter(([, pointer]) => !gone.has(pointer))
        .map(([name, pointer, member]) => [name, copy(member, pointer)]),
    );
  };
  return copy(value, '');
}
