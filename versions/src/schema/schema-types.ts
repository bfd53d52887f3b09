import { valueBelow } from '../openapi/json-pointer.ts';
import { isPart } from '../openapi/plain-data.ts';
import { definitionIn } from './schema-definitions.ts';

const ALL = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

/** The types that values of a schema may have, as far as it says so: `number` comes with `integer`. */
export function typesOf(schema: unknown): ReadonlySet<string> {
  return typesIn(schema, valueBelow(schema, '$defs'));
}

function typesIn(schema: unknown, definitions: unknown): ReadonlySet<string> {
  if (schema === false) return new Set();
  if (!isPart(schema)) return new Set(ALL);
  const inside = (part: unknown): ReadonlySet<string> => typesIn(part, definitions);
  const statements = [
    ...('type' in schema ? [named(schema.type)] : []),
    ...('const' in schema ? [typesOfValue(schema.const)] : []),
    ...(Array.isArray(schema.enum) ? [united(schema.enum.map(typesOfValue))] : []),
    ...(typeof schema.$ref === 'string' ? [inside(definitionIn(definitions, schema.$ref))] : []),
    ...(Array.isArray(schema.allOf) ? schema.allOf.map(inside) : []),
    ...[schema.anyOf, schema.oneOf].flatMap((choice) =>
      Array.isArray(choice) ? [united(choice.map(inside))] : [],
    ),
  ];
  return new Set(ALL.filter((type) => statements.every((allowed) => allowed.has(type))));
}

/** The one type that values have if they are not null; null where there are several. */
export function onlyTypeOf(schema: unknown): string | null {
  const types = [...typesOf(schema)].filter((type) => type !== 'null');
  if (types.join() === 'integer,number') return 'number';
  return types.length === 1 ? (types[0] ?? null) : null;
}

function named(type: unknown): ReadonlySet<string> {
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const names = types.filter((name) => typeof name === 'string');
  return new Set(names.includes('number') ? [...names, 'integer'] : names);
}

/** A whole number is one of two types. */
export function typesOfValue(value: unknown): ReadonlySet<string> {
  if (value === null) return new Set(['null']);
  if (Array.isArray(value)) return new Set(['array']);
  if (typeof value === 'number') return new Set(Number.isInteger(value) ? ['integer', 'number'] : ['number']);
  return new Set([typeof value]);
}

function united(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return new Set(sets.flatMap((set) => [...set]));
}
