import type { JsonSchema } from '@dateline/versions';
import type { FieldProse, Fields } from '../../contracts/prose/prose.ts';

/** A place in a document: where it is, and the names of fields down to it. */
export type FieldPath = readonly string[];
export type FindProse = (path: FieldPath) => FieldProse | null;

/** Looks through the tables of a place. The longest key counts; of equal ones that of the first table. */
export function proseFinder(...tables: readonly Fields[]): FindProse {
  return (path) => {
    // A place by itself is no field, though there may be one of the same name.
    const keys = path.length === 1 ? [] : path.map((_name, index) => path.slice(index).join('.'));
    const found = keys.flatMap((key) =>
      tables.filter((table) => Object.hasOwn(table, key)).map((table) => table[key]),
    );
    return found[0] ?? null;
  };
}

/** A schema with words and an example for each of its fields, and with enums where it had a choice of constants. */
export function describeSchema(schema: JsonSchema, path: FieldPath, find: FindProse): JsonSchema {
  const { anyOf, items, properties, ...rest } = withEnum(schema) as SchemaParts;
  const inside = (part: JsonSchema): JsonSchema => describeSchema(part, path, find);
  return {
    ...rest,
    ...(anyOf && { anyOf: anyOf.map(inside) }),
    ...(items && { items: inside(items) }),
    ...(properties && {
      properties: mapValues(properties, (field, name) => describeField(field, [...path, name], find)),
    }),
  };
}

interface SchemaParts extends JsonSchema {
  anyOf?: readonly JsonSchema[];
  items?: JsonSchema;
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  const?: unknown;
}

function describeField(schema: JsonSchema, path: FieldPath, find: FindProse): JsonSchema {
  const prose = find(path);
  const described = describeSchema(schema, path, find);
  if (!prose) return described;
  const hasExample = prose.example !== undefined && !('const' in schema);
  return { description: prose.description, ...described, ...(hasExample && { examples: [prose.example] }) };
}

/** Code generators know an enum; a choice of constants becomes a type for each of them. */
export function withEnum(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema as SchemaParts;
  if (!anyOf?.every((choice) => typeof choice.const === 'string')) return schema;
  return { ...rest, type: 'string', enum: anyOf.map((choice) => choice.const) };
}

interface ExampleParts {
  find: FindProse;
  /** Which optional fields the example has; all of them where it is left out. */
  wanted?: (name: string) => boolean;
}

/** A value that fits the schema, made of the examples of its fields. */
export function exampleOf(schema: JsonSchema, path: FieldPath, { find, wanted }: ExampleParts): unknown {
  const parts = withEnum(schema) as SchemaParts;
  if ('const' in parts) return parts.const;
  const { anyOf, items, properties, required = [] } = parts;
  const example = find(path)?.example;
  if (example !== undefined) return example;
  if (anyOf?.[0]) return exampleOf(anyOf[0], path, { find });
  if (items) return [exampleOf(items, path, { find })];
  const shown = Object.entries(properties ?? {}).filter(
    ([name]) => required.includes(name) || (wanted?.(name) ?? true),
  );
  return (
    properties &&
    Object.fromEntries(shown.map(([name, field]) => [name, exampleOf(field, [...path, name], { find })]))
  );
}

export function mapValues<Value, Made>(
  values: Readonly<Record<string, Value>>,
  make: (value: Value, name: string) => Made,
): Record<string, Made> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, make(value, name)]));
}
