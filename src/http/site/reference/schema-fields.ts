import type { SchemaPart } from './openapi-parts.ts';

/** A field as a reader sees it. */
export interface ReferenceField {
  /** With the fields around it: `prices[].amount`. */
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
}

/** The fields of a schema, depth first: each after its parent. */
export function schemaFields(schema: SchemaPart): ReferenceField[] {
  return fieldsBelow(schema, '');
}

function fieldsBelow(schema: SchemaPart, prefix: string): ReferenceField[] {
  const { properties = {}, required = [], anyOf = [], items } = schema;
  const own = Object.entries(properties).flatMap(([name, field]) => [
    {
      name: prefix + name,
      type: typeText(field),
      isRequired: required.includes(name),
      description: field.description ?? '',
    },
    ...fieldsBelow(field, `${prefix}${name}.`),
  ]);
  // `prices.` becomes `prices[].`: the places of a list have no names.
  const inList = prefix === '' ? '[].' : `${prefix.slice(0, -1)}[].`;
  const parts = [
    ...anyOf.flatMap((part) => fieldsBelow(part, prefix)),
    ...(items ? fieldsBelow(items, inList) : []),
  ];
  return withoutRepeated([...own, ...parts]);
}

/** Where one of several shapes is answered, a field of more than one is shown once. */
function withoutRepeated(fields: readonly ReferenceField[]): ReferenceField[] {
  return fields.filter(({ name }, index) => fields.findIndex((other) => other.name === name) === index);
}

/** Describes the type of a value: `text of 3 to 200 characters, or null`. */
export function typeText(schema: SchemaPart): string {
  const { anyOf, enum: values, const: only, type, items, additionalProperties } = schema;
  if (anyOf) return [...new Set(anyOf.map(typeText))].join(', or ');
  if (values) return `one of ${values.join(', ')}`;
  if (only !== undefined) return String(only);
  if (type === 'array') return `list${sizeText(schema, 'Items', 'items')} of: ${typeText(items ?? {})}`;
  if (type === 'object' && typeof additionalProperties === 'object')
    return `object with any names, each: ${typeText(additionalProperties)}`;
  const name = typeNames[type ?? ''] ?? 'any value';
  if (type === 'string') return `${textName(schema)}${sizeText(schema, 'Length', 'characters')}`;
  if (type === 'integer') return `${name}${rangeText(schema)}`;
  return name;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  null: 'null',
};

function textName({ format }: SchemaPart): string {
  return format === 'date-time' ? 'time (ISO 8601)' : (format ?? 'text');
}

function sizeText(schema: SchemaPart, what: 'Length' | 'Items', unit: string): string {
  return boundsText(schema[`min${what}`], schema[`max${what}`], unit);
}

function rangeText({ minimum, maximum }: SchemaPart): string {
  return boundsText(minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum, null);
}

function boundsText(least: number | undefined, most: number | undefined, unit: string | null): string {
  const of = unit === null ? '' : ` ${unit}`;
  const from = least === 0 && unit !== null ? undefined : least;
  if (from !== undefined && most !== undefined) return ` of ${from} to ${most}${of}`;
  if (from === 1 && unit === 'characters') return ', not empty';
  if (most !== undefined) return ` of at most ${most}${of}`;
  return from !== undefined ? ` of at least ${from}${of}` : '';
}
