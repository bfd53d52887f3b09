import type { JsonSchema } from '../contract/contract.ts';
import { keysOfPointer } from '../openapi/json-pointer.ts';
import { mapHeld } from '../openapi/openapi-grammar.ts';
import { below, type Location, type OpenApiReading } from '../openapi/openapi-reading.ts';
import { isPart } from '../openapi/plain-data.ts';
import { inNewerKeywords, orNull } from './newer-keywords.ts';
import { DEFINITIONS, definitionsIn } from './schema-definitions.ts';
import { createSchemaGraph } from './schema-graph.ts';
import { isDropped, keywordProblem } from './schema-keywords.ts';
import { typesOf } from './schema-types.ts';

/** Reads the schemas of a document for a contract, where none refers to anything outside of itself. */
export interface SchemaReader {
  /** The schema at a place. Where it leads back to itself, it refers to a definition that `whole` adds. */
  part(location: Location): JsonSchema;
  /** A schema made of parts, with the definitions that they refer to. The place is for what is refused. */
  whole(schema: JsonSchema, location: Location): JsonSchema;
}

type Schema = JsonSchema | boolean;

/** Stands for a schema that was refused, so that nobody finds fault with it again. */
export const BROKEN: JsonSchema = Object.freeze({});

const VALUES_MAX = 200_000;
const LEVELS_MAX = 200;

/** `kept` are keywords that are kept, though they say nothing that could be checked. */
export function createSchemaReader(reading: OpenApiReading, kept: readonly string[] = []): SchemaReader {
  const graph = createSchemaGraph(reading);
  const referred = new Map<string, Schema>();
  const definitions = new Map<string, Location>();
  let values = 0;
  let isRefused = false;

  function read(location: Location, level: number): Schema {
    const { value } = location;
    if (typeof value === 'boolean') return value;
    if (!isPart(value))
      return refused(location, value === undefined ? 'it is missing' : 'it must be a schema');
    if (level > LEVELS_MAX) return refused(location, TOO_DEEP);
    const fields = Object.entries(value).filter(([keyword, item]) => isKept(location, keyword, item));
    const { $ref, nullable, ...own } = mapHeld('schema', Object.fromEntries(fields), ({ keys }) =>
      read(below(location, ...keys), level + 1),
    );
    const schema = inNewerKeywords(own);
    const joined = $ref === undefined ? schema : both(referredTo(location, level), schema);
    checkUnevaluated(location, joined);
    return nullable === true ? orNull(joined) : joined;
  }

  /** The compiler holds lists to `unevaluatedProperties` too. Where there can be none, that makes no difference. */
  function checkUnevaluated(location: Location, schema: Schema): void {
    if (typeof schema === 'boolean' || !('unevaluatedProperties' in schema)) return;
    if (measure(schema).values <= VALUES_MAX && typesOf(schema).has('array'))
      reading.refuse(below(location, 'unevaluatedProperties'), 'say type: object beside it');
  }

  function isKept(location: Location, keyword: string, value: unknown): boolean {
    const problem = keywordProblem(keyword, value);
    if (problem !== null) reading.refuse(below(location, keyword), problem);
    return problem === null && (!isDropped(keyword) || kept.includes(keyword));
  }

  function referredTo(location: Location, level: number): Schema {
    const target = reading.refer(location);
    const there = below(location, '$ref');
    if (target === null) return BROKEN;
    if (graph.isEndless(target.path))
      return refused(there, 'it leads back to itself for one and the same value');
    if (graph.isRecursive(target.path)) return { $ref: DEFINITIONS + nameDefinition(target) };
    const schema = readOnce(target, level + 1);
    return measure(schema).levels > LEVELS_MAX ? refused(there, TOO_DEEP) : schema;
  }

  function readOnce(location: Location, level: number): Schema {
    const known = referred.get(location.path) ?? read(location, level);
    referred.set(location.path, known);
    return known;
  }

  function refused(location: Location, reason: string): Schema {
    reading.refuse(location, reason);
    return BROKEN;
  }

  function nameDefinition(location: Location): string {
    let name = definitionName(location.path);
    while ((definitions.get(name)?.path ?? location.path) !== location.path) name += '_';
    definitions.set(name, location);
    return name;
  }

  function definitionsFor(schema: JsonSchema): [string, Schema][] {
    const names = new Set(definitionsIn(schema));
    const found: [string, Schema][] = [];
    for (const name of names) {
      const location = definitions.get(name);
      // A frame may have definitions of its own.
      if (location === undefined) continue;
      const definition = readOnce(location, 0);
      found.push([name, definition]);
      for (const other of definitionsIn(definition)) names.add(other);
    }
    return found.sort(([one], [other]) => (one < other ? -1 : 1));
  }

  /** Nobody may walk through a schema before this: written out, it may be larger than any memory. */
  function isTooLarge(size: number, location: Location): boolean {
    if (size <= VALUES_MAX) return false;
    const sizes = [...referred].map(([path, one]) => ({ path, size: measure(one).values }));
    const [largest] = sizes.sort((one, other) => other.size - one.size);
    const reason = `with all references written out, the contract has more than ${VALUES_MAX} values`;
    if (!isRefused) reading.refuse(location, largest ? `${reason}; most are in #${largest.path}` : reason);
    isRefused = true;
    return true;
  }

  return {
    part(location) {
      const schema = read(location, 0);
      if (isTooLarge(measure(schema).values, location)) return BROKEN;
      return typeof schema === 'object' ? schema : schema ? {} : { not: {} };
    },
    whole(schema, location) {
      const found = definitionsFor(schema);
      const own = isPart(schema.$defs) ? schema.$defs : {};
      const whole =
        found.length === 0 ? schema : { ...schema, $defs: { ...own, ...Object.fromEntries(found) } };
      values += measure(whole).values;
      return isTooLarge(values, location) ? BROKEN : whole;
    },
  };
}

const TOO_DEEP = `with all references written out, it is nested more than ${LEVELS_MAX} levels deep`;

/** A schema that a reference leads to, and what stands beside the reference. */
function both(target: Schema, beside: JsonSchema): Schema {
  if (Object.keys(beside).length === 0) return target;
  if (target === true) return beside;
  if (typeof target === 'object' && typeof target.$ref === 'string') return { ...beside, $ref: target.$ref };
  const { allOf, ...rest } = beside;
  return { ...rest, allOf: [target, ...(Array.isArray(allOf) ? allOf : [])] };
}

/** A name that does not depend on what was read before: the contract must not, either. */
function definitionName(path: string): string {
  const [section, kind, name = '', ...further] = keysOfPointer(path);
  const isComponent = section === 'components' && kind === 'schemas' && further.length === 0;
  // The compiler does not follow references to the names that are left out here.
  const isUsable = /^(?!(?:constructor|prototype)$)[\w.-]+$/.test(name);
  return isComponent && isUsable ? name : path.replaceAll(/\W/g, '_');
}

export interface Measure {
  /** The number of values, each counted wherever it stands. */
  values: number;
  /** The depth to which they are nested. */
  levels: number;
}

const measured = new WeakMap<object, Measure>();

/** The size of a plain value if it is written down. What stands in many places is looked at once. */
export function measure(value: unknown): Measure {
  if (typeof value !== 'object' || value === null) return { values: 1, levels: 0 };
  const known = measured.get(value) ?? measureInside(value);
  measured.set(value, known);
  return known;
}

function measureInside(value: object): Measure {
  const inside = Object.values(value).map(measure);
  return {
    values: inside.reduce((sum, { values }) => sum + values, 1),
    levels: inside.reduce((most, { levels }) => Math.max(most, levels), 0) + 1,
  };
}
