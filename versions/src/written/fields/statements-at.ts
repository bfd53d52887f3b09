import { isPart, type Part } from '../../openapi/plain-data.ts';
import { definitionIn, nameOfDefinition } from '../../schema/schema-definitions.ts';

/** A schema on the way through a contract. */
export interface SchemaPlace {
  schema: unknown;
  /** As paths of differences have it. */
  path: string;
  /** The name of the definition that it is; null where it is none. */
  name: string | null;
  /** True in definitions, which stand at many places. */
  isShared: boolean;
}

export interface Choice {
  path: string;
  places: readonly SchemaPlace[];
  /** True for `anyOf`: a value of a `oneOf` has one alternative. */
  mayBeSeveral: boolean;
}

export type Said = readonly (SchemaPlace & { schema: Part })[];

/** Everything that is said about one and the same value: at once, as one of several choices, or on a condition. */
export function statementsAt(places: readonly SchemaPlace[], definitions: unknown) {
  const said: (SchemaPlace & { schema: Part })[] = [];
  const choices: Choice[] = [];
  const conditions: SchemaPlace[] = [];
  const waiting = [...places];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { schema, path, name, isShared } = next;
    if (!isPart(schema) || said.some((one) => one.schema === schema)) continue;
    said.push({ schema, path, name, isShared });
    const { $ref, allOf, anyOf, oneOf, then, else: otherwise, dependentSchemas } = schema;
    const { contains, unevaluatedItems, unevaluatedProperties } = schema;
    if (typeof $ref === 'string')
      waiting.push({
        schema: definitionIn(definitions, $ref),
        path,
        name: nameOfDefinition($ref),
        isShared: true,
      });
    waiting.push(...placesIn(allOf, `${path}.allOf`, isShared));
    for (const [keyword, list] of Object.entries({ anyOf, oneOf }))
      if (Array.isArray(list))
        choices.push({
          path: `${path}.${keyword}`,
          places: placesIn(list, `${path}.${keyword}`, isShared),
          mayBeSeveral: keyword === 'anyOf',
        });
    const dependent = isPart(dependentSchemas) ? Object.values(dependentSchemas) : [];
    conditions.push(
      ...placesIn(
        [then, otherwise, contains, unevaluatedItems, unevaluatedProperties, ...dependent].filter(isPart),
        path,
        isShared,
      ),
    );
  }
  return { said, choices, conditions };
}

/** The keywords that lead from a schema to others about the same value, all of which are read above. */
const LEADING = new Set([
  ...['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas'],
  ...['contains', 'unevaluatedItems', 'unevaluatedProperties'],
]);

/** What a schema says by itself. */
export function ownStatement(schema: Part): Part {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !LEADING.has(keyword)));
}

/** What one schema says about the members of an object. */
export interface MemberPlaces {
  names: readonly string[];
  hasPatterns: boolean;
  /** What is for names that nobody can list. */
  further: readonly SchemaPlace[];
  /** What is for a name: the other properties are those that neither a name nor a pattern is for. */
  at(name: string): readonly SchemaPlace[];
}

export function memberPlaces({ schema, path, isShared }: Said[number]): MemberPlaces {
  const { properties, patternProperties, additionalProperties } = schema;
  const named = placesByKey(properties, `${path}.properties`, isShared);
  const patterns = [...placesByKey(patternProperties, `${path}.patternProperties`, isShared)];
  const others = {
    schema: additionalProperties,
    path: `${path}.additionalProperties`,
    ...{ name: null, isShared },
  };
  return {
    names: [...named.keys()],
    hasPatterns: patterns.length > 0,
    further: [...patterns.map(([, place]) => place), others],
    at: (name) => {
      const matching = patterns.filter(([pattern]) => new RegExp(pattern, 'u').test(name));
      const found = [named.get(name) ?? [], matching.map(([, place]) => place)].flat();
      return found.length > 0 ? found : [others];
    },
  };
}

/** What one schema says about the items of a list: the first ones one by one, and the rest. */
export function itemPlaces({ schema, path, isShared }: Said[number]) {
  return {
    firsts: placesIn(schema.prefixItems, `${path}.prefixItems`, isShared),
    rest: { schema: schema.items, path: `${path}.items`, name: null, isShared },
  };
}

function placesIn(list: unknown, path: string, isShared: boolean): SchemaPlace[] {
  if (!Array.isArray(list)) return [];
  return list.map((schema, index) => ({ schema, path: `${path}.${index}`, name: null, isShared }));
}

function placesByKey(schemas: unknown, path: string, isShared: boolean): Map<string, SchemaPlace> {
  const found = Object.entries(isPart(schemas) ? schemas : {});
  return new Map(
    found.map(([key, schema]) => [key, { schema, path: `${path}.${key}`, name: null, isShared }]),
  );
}
