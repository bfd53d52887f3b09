import type { JsonSchema } from '../contract/contract.ts';
import { keysOfPointer } from '../openapi/json-pointer.ts';
import { heldBy, mapField } from '../openapi/openapi-grammar.ts';
import { below, type Location, type OpenApiReading } from '../openapi/openapi-reading.ts';
import { isPart } from '../openapi/plain-data.ts';
import { inNewerKeywords, orNull } from './newer-keywords.ts';
import { DEFINITIONS } from './schema-definitions.ts';
import { createSchemaGraph } from './schema-graph.ts';
import { isDropped, keywordProblem } from './schema-keywords.ts';
import { createMarkReading, type Mark } from './schema-marks.ts';

/** Reads the schemas of a document for a contract. Nothing is written out: what is referred to is read once, as a definition. */
export interface SchemaReader {
  /** The schema at a place. Its references lead to definitions, which `whole` adds. */
  part(location: Location): JsonSchema;
  /** A schema made of parts, with the definitions of the document: one object, the same for all of its schemas. */
  whole(schema: JsonSchema): JsonSchema;
}

type Schema = JsonSchema | boolean;

/** Stands for a schema that was refused, so that nobody finds fault with it again. */
export const BROKEN: JsonSchema = Object.freeze({});

const LEVELS_MAX = 200;

/** What they hold describes properties, which may be marked. */
const OF_PROPERTIES: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
]);

const READ_APART: ReadonlySet<string> = new Set(['$ref', 'nullable']);

/** `kept` are keywords that are kept, though they say nothing that could be checked. */
export function createSchemaReader(
  reading: OpenApiReading,
  { kept = [], mark }: { kept?: readonly string[]; mark?: Mark | undefined } = {},
): SchemaReader {
  const marks = mark && createMarkReading(reading, mark);
  const graph = createSchemaGraph(reading);
  const locations = new Map<string, Location>();
  const waiting: string[] = [];
  const definitions: Record<string, Schema> = {};

  function read(location: Location, level: number): Schema {
    const { value } = location;
    if (typeof value === 'boolean') return value;
    if (!isPart(value))
      return refused(location, value === undefined ? 'it is missing' : 'it must be a schema');
    if (level > LEVELS_MAX) return refused(location, `it is nested more than ${LEVELS_MAX} levels deep`);
    const own: Record<string, unknown> = {};
    for (const keyword of Object.keys(value))
      if (isKept(location, keyword, value[keyword]) && !READ_APART.has(keyword))
        own[keyword] = mapField('schema', keyword, value[keyword], ({ keys }) =>
          readHeld(below(location, ...keys), keyword, level),
        );
    const { $ref, nullable } = value;
    const beside = inNewerKeywords(withoutMarked(location, own));
    const schema = typeof $ref === 'string' ? referring(location, beside) : beside;
    return nullable === true ? orNull(schema) : schema;
  }

  function readHeld(location: Location, keyword: string, level: number): Schema {
    const isMarked = OF_PROPERTIES.has(keyword) && marks?.isMarked(location);
    return isMarked ? { [String(mark)]: true } : read(location, level + 1);
  }

  /** Who may not send a property cannot have to. */
  function withoutMarked(location: Location, schema: JsonSchema): JsonSchema {
    if (!marks || !Array.isArray(schema.required)) return schema;
    const names = marks.namesAt(location);
    return { ...schema, required: schema.required.filter((name) => !names.has(String(name))) };
  }

  function isKept(location: Location, keyword: string, value: unknown): boolean {
    const problem = keywordProblem(keyword, value);
    if (problem !== null) reading.refuse(below(location, keyword), problem);
    return problem === null && (!isDropped(keyword) || kept.includes(keyword));
  }

  function referring(location: Location, beside: JsonSchema): Schema {
    const target = reading.refer(location);
    if (target === null) return BROKEN;
    if (target.path === '')
      return refused(below(location, '$ref'), 'it leads to the document, not to a schema');
    const problem = graph.problemOf(target.path);
    if (problem !== null) return refused(below(location, '$ref'), problem);
    return { ...beside, $ref: DEFINITIONS + nameDefinition(target) };
  }

  function nameDefinition(location: Location): string {
    let name = definitionName(location.path);
    while ((locations.get(name)?.path ?? location.path) !== location.path) name += '_';
    if (!locations.has(name)) waiting.push(name);
    locations.set(name, location);
    return name;
  }

  /** Reads those that were referred to, and those that they refer to. */
  function readDefinitions(): void {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const location = locations.get(name);
      if (location) definitions[name] = read(location, 0);
    }
  }

  function refused(location: Location, reason: string): JsonSchema {
    reading.refuse(location, reason);
    return BROKEN;
  }

  return {
    part(location) {
      const schema = read(location, 0);
      return typeof schema === 'object' ? schema : schema ? {} : { not: {} };
    },
    whole(schema) {
      readDefinitions();
      if (!refers(schema)) return schema;
      // A frame may have definitions of its own.
      const own = isPart(schema.$defs) ? schema.$defs : null;
      return { ...schema, $defs: own ? { ...own, ...definitions } : definitions };
    },
  };
}

function refers(schema: unknown): boolean {
  if (!isPart(schema)) return false;
  return '$ref' in schema || heldBy('schema', schema).some(({ value }) => refers(value));
}

/** A name that does not depend on what was read before: the contract must not, either. */
function definitionName(path: string): string {
  const [section, kind, name = '', ...further] = keysOfPointer(path);
  const isComponent = section === 'components' && kind === 'schemas' && further.length === 0;
  const isUsable = /^(?!__proto__$)[\w.-]+$/.test(name);
  return isComponent && isUsable ? name : path.replaceAll(/\W/g, '_');
}
