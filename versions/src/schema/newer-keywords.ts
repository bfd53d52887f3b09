import type { JsonSchema } from '../contract/contract.ts';

/** A schema with what OpenAPI 3.0 says in its own way said in the way of JSON Schema, and the order of sets settled. */
export function inNewerKeywords(schema: JsonSchema): JsonSchema {
  // Most of them: a large document has a million.
  if (!Array.isArray(schema.type) && !SETTLED.some((keyword) => keyword in schema)) return schema;
  const { required, type, contains, minContains, maxContains, ...rest } = schema;
  return {
    ...(Array.isArray(type) ? { type: sorted(type) } : defined({ type })),
    ...withNewerBounds(rest),
    ...(Array.isArray(required) ? { required: sorted(required) } : {}),
    // Without what they count they mean nothing.
    ...(contains === undefined ? {} : { contains, ...defined({ minContains, maxContains }) }),
  };
}

/** Keywords that are written in another way, or in another order. */
const SETTLED = [
  ...['required', 'contains', 'minContains', 'maxContains'],
  ...['exclusiveMinimum', 'exclusiveMaximum'],
];

/** The meaning of `nullable: true`: the schema, or null. */
export function orNull(schema: JsonSchema | boolean): JsonSchema | boolean {
  if (typeof schema === 'boolean') return schema || { type: 'null' };
  if (COMPOSED.some((keyword) => keyword in schema)) return { anyOf: [schema, { type: 'null' }] };
  const { type, enum: values } = schema;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return {
    ...schema,
    ...(type === undefined ? {} : { type: sorted([...types, 'null']) }),
    ...(Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {}),
  };
}

/** Keywords that say more than which type and which values: they would have to allow null too. */
const COMPOSED = ['$ref', 'const', 'allOf', 'anyOf', 'oneOf', 'not', 'if'];

/** In OpenAPI 3.0, `exclusiveMinimum: true` stands beside the minimum that it is about. */
function withNewerBounds(schema: JsonSchema): JsonSchema {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...rest } = schema;
  return {
    ...rest,
    ...(exclusiveMinimum === true ? defined({ exclusiveMinimum: minimum }) : defined({ minimum })),
    ...(exclusiveMaximum === true ? defined({ exclusiveMaximum: maximum }) : defined({ maximum })),
    ...(typeof exclusiveMinimum === 'number' ? { exclusiveMinimum } : {}),
    ...(typeof exclusiveMaximum === 'number' ? { exclusiveMaximum } : {}),
  };
}

function defined(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}

function sorted(values: readonly unknown[]): unknown[] {
  return [...new Set(values)].sort();
}
