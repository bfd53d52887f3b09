import type { JsonSchema } from '../contract/contract.ts';
import { isPart } from '../openapi/plain-data.ts';
import { definitionIn } from './schema-definitions.ts';

/** One way to keep a schema: without choices and references, but for those of its properties and items. */
export interface Alternative {
  schema: JsonSchema;
  /** The references that led here: where one is followed twice, a schema recurs. */
  passed: readonly string[];
}

/** The ways to keep a schema, one after the other. A reference that was passed before is not followed again. */
export function* alternativesOf(
  schema: unknown,
  definitions: unknown,
  passed: readonly string[],
): Generator<Alternative> {
  if (schema === true) yield { schema: {}, passed };
  if (!isPart(schema)) return;
  const { $ref, allOf, anyOf, oneOf, if: condition, then, else: otherwise, ...own } = schema;
  const choices = [
    ...listOf(allOf).map((part) => [part]),
    ...[anyOf, oneOf].filter(Array.isArray),
    ...(condition === undefined ? [] : [[{ allOf: [condition, then ?? true] }, otherwise ?? true]]),
  ];
  if (typeof $ref !== 'string') yield* combined({ schema: own, passed }, choices, definitions);
  else if (!passed.includes($ref))
    yield* combined(
      { schema: own, passed: [...passed, $ref] },
      [[definitionIn(definitions, $ref)], ...choices],
      definitions,
    );
}

/** One of each of the choices, joined with what is there. */
function* combined(
  base: Alternative,
  choices: readonly (readonly unknown[])[],
  definitions: unknown,
): Generator<Alternative> {
  const [first, ...rest] = choices;
  if (first === undefined) {
    yield base;
    return;
  }
  for (const choice of first)
    for (const { schema, passed } of alternativesOf(choice, definitions, base.passed))
      yield* combined({ schema: joined(base.schema, schema), passed }, rest, definitions);
}

/** A schema for what both allow, as far as a sample needs it. */
function joined(one: JsonSchema, other: JsonSchema): JsonSchema {
  return {
    ...one,
    ...other,
    ...ifBoth(one, other, 'properties', (left, right) => joinedProperties(left, right)),
    ...ifBoth(one, other, 'required', (left, right) => [...new Set([...listOf(left), ...listOf(right)])]),
    ...ifBoth(one, other, 'type', (left, right) => commonTypes(left, right)),
    ...ifBoth(one, other, 'items', (left, right) => ({ allOf: [left, right] })),
    ...ifBoth(one, other, 'minimum', (left, right) => Math.max(Number(left), Number(right))),
    ...ifBoth(one, other, 'maximum', (left, right) => Math.min(Number(left), Number(right))),
    ...ifBoth(one, other, 'minLength', (left, right) => Math.max(Number(left), Number(right))),
    ...ifBoth(one, other, 'maxLength', (left, right) => Math.min(Number(left), Number(right))),
    ...ifBoth(one, other, 'minItems', (left, right) => Math.max(Number(left), Number(right))),
  };
}

function ifBoth(
  one: JsonSchema,
  other: JsonSchema,
  keyword: string,
  join: (left: unknown, right: unknown) => unknown,
): JsonSchema {
  return keyword in one && keyword in other ? { [keyword]: join(one[keyword], other[keyword]) } : {};
}

function joinedProperties(left: unknown, right: unknown): JsonSchema {
  const [one, other] = [isPart(left) ? left : {}, isPart(right) ? right : {}];
  const common = Object.keys(one).filter((name) => Object.hasOwn(other, name));
  const both = common.map((name) => [name, { allOf: [one[name], other[name]] }]);
  return { ...one, ...other, ...Object.fromEntries(both) };
}

function commonTypes(left: unknown, right: unknown): unknown[] {
  const allowed = listOf(right);
  return listOf(left).flatMap((type) => {
    if (allowed.includes(type)) return [type];
    if (type === 'number' && allowed.includes('integer')) return ['integer'];
    return type === 'integer' && allowed.includes('number') ? ['integer'] : [];
  });
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
