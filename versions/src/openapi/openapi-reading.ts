import { pointerBelow, valueAt, valueBelow } from './json-pointer.ts';
import { type OpenApiKind, openApiGrammar } from './openapi-grammar.ts';
import type { OpenApiProblem } from './openapi-problem.ts';
import { readReference } from './openapi-reference.ts';
import { isPart, type OpenApiDocument, type Part } from './plain-data.ts';

/** A place in a document, and what stands there: undefined where nothing does. */
export interface Location {
  readonly path: string;
  readonly value: unknown;
}

/** An object of a document, found where it stands, whatever referred to it. */
export interface Found extends Location {
  readonly value: Part;
}

/** A document that is being read, and what was refused in it so far. */
export interface OpenApiReading {
  readonly root: Location;
  readonly problems: OpenApiProblem[];
  /** Notes a problem. Returns null, for what could not be read. */
  refuse(location: Location, reason: string): null;
  at(path: string): Location;
  /** The place that the `$ref` of a place leads to. Null, and a problem, where it leads nowhere. */
  refer(location: Location): Location | null;
  /** The object of a kind that a place holds or refers to. Null, and a problem, where it is none. */
  find(location: Location, kind: OpenApiKind): Found | null;
}

export function createOpenApiReading(document: OpenApiDocument): OpenApiReading {
  const root = { path: '', value: document };
  const problems: OpenApiProblem[] = [];
  const said = new Set<string>();

  function refuse({ path }: Location, reason: string): null {
    // What many refer to is read many times.
    const key = JSON.stringify([path, reason]);
    if (!said.has(key)) problems.push({ path, reason });
    said.add(key);
    return null;
  }

  function at(path: string): Location {
    return { path, value: valueAt(document, path) };
  }

  const targets = new Map<unknown, Location | string>();

  function refer(location: Location): Location | null {
    const text = valueBelow(location.value, '$ref');
    const target = targets.get(text) ?? targetOf(text);
    targets.set(text, target);
    if (typeof target !== 'string') return target;
    return refuse(below(location, '$ref'), `the reference "${text}" is refused: ${target}`);
  }

  /** A text is the reason why it leads nowhere. */
  function targetOf(text: unknown): Location | string {
    const target = typeof text === 'string' ? readReference(text, HERE) : 'it is no text';
    if (typeof target === 'string') return target;
    if (target.file !== HERE) return 'it leads to another file; bundle the files first';
    const found = at(target.pointer);
    return found.value === undefined ? 'there is nothing' : found;
  }

  /** The place that all references lead to in the end: the same one where it has none. */
  function follow(location: Location): Location | null {
    const passed = new Set<string>();
    let found: Location | null = location;
    while (found !== null && typeof valueBelow(found.value, '$ref') === 'string') {
      if (passed.has(found.path)) return refuse(location, 'it refers to itself');
      passed.add(found.path);
      found = refer(found);
    }
    return found;
  }

  function find(location: Location, kind: OpenApiKind): Found | null {
    const isReferable = openApiGrammar[kind].section !== undefined;
    if (isReferable) refuseBesideReference(location);
    const found = isReferable ? follow(location) : location;
    if (found === null) return null;
    if (!isPart(found.value))
      return refuse(found, found.value === undefined ? 'it is missing' : 'it must be an object');
    for (const [field, held] of namedBelow(found)) checkField(kind, field, held);
    return { path: found.path, value: found.value };
  }

  /** Words aside, nothing that stands beside a reference would be read. */
  function refuseBesideReference(location: Location): void {
    if (typeof valueBelow(location.value, '$ref') !== 'string') return;
    for (const [field, beside] of namedBelow(location))
      if (!['$ref', 'summary', 'description'].includes(field) && !field.startsWith('x-'))
        refuse(beside, 'it stands beside a reference, where it means nothing');
  }

  /** A field that is misspelt would otherwise be left out of the contract, and nobody would know. */
  function checkField(kind: OpenApiKind, field: string, held: Location): void {
    const { holds, others } = openApiGrammar[kind];
    if (field.startsWith('x-') || others.includes(field)) return;
    if (!Object.hasOwn(holds, field)) refuse(held, 'OpenAPI has no such field here');
    else if (holds[field]?.as === 'list' && !Array.isArray(held.value)) refuse(held, 'it must be a list');
    else if (holds[field]?.as === 'named' && !isPart(held.value)) refuse(held, 'it must be an object');
  }

  return { root, problems, refuse, at, refer, find };
}

const HERE = '';

export function below({ path, value }: Location, ...keys: readonly (string | number)[]): Location {
  return { path: pointerBelow(path, ...keys), value: keys.reduce(valueBelow, value) };
}

/** The members of an object, by name. */
export function namedBelow(location: Location): [string, Location][] {
  return isPart(location.value)
    ? Object.keys(location.value).map((name) => [name, below(location, name)])
    : [];
}

/** The items of a list. */
export function itemsBelow(location: Location): Location[] {
  return Array.isArray(location.value) ? location.value.map((_item, index) => below(location, index)) : [];
}
