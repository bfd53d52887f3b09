import type { JsonSchema } from '../contract/contract.ts';
import { mapHeld } from '../openapi/openapi-grammar.ts';
import { isPart } from '../openapi/plain-data.ts';
import { boundedSchema } from './bounded-schema.ts';
import { definitionIn } from './schema-definitions.ts';

/** A check in the place of a keyword, as the compiler takes it. */
export interface Refinement {
  check(value: unknown): boolean;
  error(value: unknown): unknown;
}

export interface Links {
  definitions: unknown;
  /** Schemas that were linked for checks that are not compiled. */
  linked: WeakMap<object, JsonSchema>;
  /** The check of a definition. */
  link(reference: string): Refinement;
  /** The check of a part that is compiled by itself. */
  alone(schema: JsonSchema): Refinement;
}

/**
 * A schema as the compiler gets it: without definitions, and with a check in the place of each reference. The compiler would
 * write them all out in each schema, and look for them through all of the others.
 */
export function linkedSchema(schema: JsonSchema, links: Links): JsonSchema {
  const { $defs: _linked, ...own } = schema;
  return linked(boundedSchema(own), links);
}

function linked(schema: JsonSchema, links: Links): JsonSchema {
  const { $ref, ...own } = mapHeld('schema', evaluated(schema, links), ({ value }) =>
    isPart(value) ? linked(value, links) : value,
  );
  if (typeof $ref !== 'string') return own;
  const others = Array.isArray(own['~refine']) ? own['~refine'] : [];
  return { ...own, '~refine': [...others, links.link($ref)] };
}

/** `unevaluated…` asks what the other keywords know about a value, and those of references too. */
function evaluated(schema: JsonSchema, links: Links): JsonSchema {
  if ('unevaluatedProperties' in schema) return aboutObjects(inPlace(schema, links));
  return 'unevaluatedItems' in schema ? inPlace(schema, links) : schema;
}

/** The compiler holds lists to `unevaluatedProperties` too. */
function aboutObjects(schema: JsonSchema): JsonSchema {
  const { unevaluatedProperties: _about, ...others } = schema;
  if (schema.type === 'object') return schema;
  const types: readonly unknown[] = [schema.type ?? 'object'].flat();
  if (!types.includes('object')) return others;
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return { if: { type: 'object' }, then: { ...schema, type: 'object' }, else: others };
}

const SAME_VALUE = new Set(['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas']);

/** The schema with its definitions written out, as far as they are about the same value: that comes to an end. */
function inPlace(schema: JsonSchema, links: Links): JsonSchema {
  const { $ref, ...own } = mapHeld('schema', schema, ({ keys: [keyword = ''], value }) => {
    if (!isPart(value)) return value;
    if (SAME_VALUE.has(keyword)) return inPlace(value, links);
    return LEAKING.has(keyword) ? alone(value, links) : value;
  });
  const beside = withChoice(own, links);
  if (typeof $ref !== 'string') return beside;
  const definition = definitionIn(links.definitions, $ref);
  const target = isPart(definition) ? inPlace(boundedSchema(definition), links) : definition;
  return { ...beside, allOf: [...listOf(beside.allOf), target] };
}

/** The compiler takes what these know about items, properties or nothing at all for something that is known about the value. */
const LEAKING = new Set(['contains', 'unevaluatedItems', 'unevaluatedProperties', 'not']);

function alone(schema: JsonSchema, links: Links): JsonSchema {
  return Object.keys(schema).join() === '~refine' ? schema : { '~refine': [links.alone(schema)] };
}

/** The compiler also counts what an `if` knows that was not kept: a choice counts what was kept alone. */
function withChoice(schema: JsonSchema, links: Links): JsonSchema {
  const { if: condition, then, else: otherwise, ...own } = schema;
  if (condition === undefined) return own;
  const isNot = { not: isPart(condition) ? alone(condition, links) : condition };
  const choice = { anyOf: [{ allOf: [condition, then ?? true] }, { allOf: [isNot, otherwise ?? true] }] };
  return { ...own, allOf: [...listOf(own.allOf), choice] };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
