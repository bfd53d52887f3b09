import { pointerBelow, valueAt, valueBelow } from './json-pointer.ts';
import type { OpenApiDocument } from './openapi.ts';
import { type OpenApiKind, openApiGrammar } from './openapi-grammar.ts';
import type { OpenApiProblem } from './openapi-problem.ts';
import { type OpenApiReference, readReference } from './openapi-reference.ts';
import { isPart, type Part } from './plain-data.ts';

/** A place in a document, and what stands there: undefined where nothing does. */
export interface Place {
  readonly path: string;
  readonly value: unknown;
}

/** An object of a document, found where it stands, whatever referred to it. */
export interface Found extends Place {
  readonly value: Part;
}

/** A document that is being read, and what was refused in it so far. */
export interface OpenApiReading {
  readonly root: Place;
  readonly problems: OpenApiProblem[];
  refuse(place: Place, reason: string): void;
  at(path: string): Place;
  /** The place that the `$ref` of a place leads to. Null, and a problem, where it leads nowhere. */
  refer(place: Place): Place | null;
  /** The object of a kind that a place holds or refers to. Null, and a problem, where it is none. */
  find(place: Place, kind: OpenApiKind): Found | null;
}

export function createOpenApiReading(document: OpenApiDocument): OpenApiReading {
  const root = { path: '', value: document };
  const problems: OpenApiProblem[] = [];
  const said = new Set<string>();

  function refuse({ path }: Place, reason: string): void {
    // What many refer to is read many times.
    const key = JSON.stringify([path, reason]);
    if (!said.has(key)) problems.push({ path, reason });
    said.add(key);
  }

  function at(path: string): Place {
    return { path, value: valueAt(document, path) };
  }

  function refer(place: Place): Place | null {
    const text = valueBelow(place.value, '$ref');
    const target = typeof text === 'string' ? readReference(text, HERE) : 'it is no text';
    const reason = typeof target === 'string' ? target : reasonAgainst(target);
    if (reason === null) return at((target as OpenApiReference).pointer);
    refuse(below(place, '$ref'), `the reference "${text}" is refused: ${reason}`);
    return null;
  }

  function reasonAgainst({ file, pointer }: OpenApiReference): string | null {
    if (file !== HERE) return 'it leads to another file; bundle the files first';
    return valueAt(document, pointer) === undefined ? 'there is nothing' : null;
  }

  /** The place that all references lead to in the end: the same one where it has none. */
  function follow(place: Place): Place | null {
    const passed = new Set<string>();
    let found: Place | null = place;
    while (found !== null && typeof valueBelow(found.value, '$ref') === 'string') {
      if (passed.has(found.path)) {
        refuse(place, 'it refers to itself');
        return null;
      }
      passed.add(found.path);
      found = refer(found);
    }
    return found;
  }

  function find(place: Place, kind: OpenApiKind): Found | null {
    const isReferable = openApiGrammar[kind].section !== undefined;
    if (isReferable) refuseBesideReference(place);
    const found = isReferable ? follow(place) : place;
    if (found === null) return null;
    if (!isPart(found.value)) {
      refuse(found, found.value === undefined ? 'it is missing' : 'it must be an object');
      return null;
    }
    for (const [field, held] of namedBelow(found)) checkField(kind, field, held);
    return { path: found.path, value: found.value };
  }

  /** Words aside, nothing that stands beside a reference would be read. */
  function refuseBesideReference(place: Place): void {
    if (typeof valueBelow(place.value, '$ref') !== 'string') return;
    for (const [field, beside] of namedBelow(place))
      if (!['$ref', 'summary', 'description'].includes(field) && !field.startsWith('x-'))
        refuse(beside, 'it stands beside a reference, where it means nothing');
  }

  /** A field that is misspelt would otherwise be left out of the contract, and nobody would know. */
  function checkField(kind: OpenApiKind, field: string, held: Place): void {
    const { holds, others } = openApiGrammar[kind];
    if (field.startsWith('x-') || others.includes(field)) return;
    if (!Object.hasOwn(holds, field)) refuse(held, 'OpenAPI has no such field here');
    else if (holds[field]?.as === 'list' && !Array.isArray(held.value)) refuse(held, 'it must be a list');
    else if (holds[field]?.as === 'named' && !isPart(held.value)) refuse(held, 'it must be an object');
  }

  return { root, problems, refuse, at, refer, find };
}

const HERE = '';

export function below({ path, value }: Place, ...keys: readonly (string | number)[]): Place {
  return { path: pointerBelow(path, ...keys), value: keys.reduce(valueBelow, value) };
}

/** What an object holds by name. */
export function namedBelow(place: Place): [string, Place][] {
  return isPart(place.value) ? Object.keys(place.value).map((name) => [name, below(place, name)]) : [];
}

/** What a list holds. */
export function itemsBelow(place: Place): Place[] {
  return Array.isArray(place.value) ? place.value.map((_item, index) => below(place, index)) : [];
}
