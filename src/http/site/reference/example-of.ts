import type { ContentPart, SchemaPart } from './openapi-parts.ts';

/** An example of a body: its own, or one that fits the schema. */
export function exampleOf({ example, schema }: ContentPart): unknown {
  return example ?? exampleFor(schema);
}

/** For documents without examples, such as the operator’s: every field, with values that only show its type. */
function exampleFor(schema: SchemaPart): unknown {
  const { type, format, examples, const: only, enum: values, anyOf, items, properties } = schema;
  const given = examples?.[0] ?? only ?? values?.[0];
  if (given !== undefined) return given;
  if (anyOf) return exampleFor(anyOf[0] ?? {});
  if (properties)
    return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, exampleFor(field)]));
  if (items) return [exampleFor(items)];
  if (type === 'string') return format === 'date-time' ? '2026-11-15T12:00:00.000Z' : 'text';
  return simple[type ?? ''] ?? null;
}

const simple: Readonly<Record<string, unknown>> = { integer: 1, number: 1, boolean: false, object: {} };

const PLACEHOLDER = /^[a-z]{3}_0{21}1$/;

/** An id in an example is visibly nobody's. */
export function isPlaceholder(value: unknown): boolean {
  return typeof value === 'string' && PLACEHOLDER.test(value);
}
