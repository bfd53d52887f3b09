import { Check, Compile, ErrorContext, ErrorSchema, Stack } from 'typebox/schema';
import { Locale } from 'typebox/system';
import type { Body, JsonSchema, Operation } from '../contract/contract.ts';
import { mapHeld } from '../openapi/openapi-grammar.ts';
import { isPart } from '../openapi/plain-data.ts';
import { LinearPattern, TRIED_LENGTH_MAX } from './patterns/linear-pattern.ts';
import { isExponential } from './patterns/pattern-judge.ts';

/** Answers with what is wrong with a value; empty when nothing is. */
export type Validate = (value: unknown) => readonly ValidationFinding[];

export interface ValidationFinding {
  keyword: string;
  /** Where in the schema, as a JSON pointer after `#`. */
  schemaPath: string;
  /** Where in the value, as a JSON pointer. */
  instancePath: string;
  params: object;
  message: string;
}

/** Compiles a schema. Without one, every value passes. */
export function validator(schema: JsonSchema | null): Validate {
  if (schema === null) return () => [];
  const bounded = boundedSchema(schema);
  const compiled = Compile(bounded);
  return (value) => (compiled.Check(value) ? [] : findingsOf(bounded, value));
}

/** Nobody mends more of them at once, and a body may have one for every few of its bytes. */
const FINDINGS_MAX = 20;
const ENOUGH = Symbol('enough findings');

/** Looks no further when there are enough, unlike the library's own, which goes on through the whole value. */
class FirstFindings extends ErrorContext {
  override AtCapacity(): boolean {
    if (this.GetErrors().length >= FINDINGS_MAX) throw ENOUGH;
    return false;
  }
}

function findingsOf(schema: JsonSchema, value: unknown): readonly ValidationFinding[] {
  const context = new FirstFindings();
  try {
    ErrorSchema(Stack({}, schema), context, '#', '', schema, value);
  } catch (error) {
    if (error !== ENOUGH) throw error;
  }
  const inWords = Locale.Get();
  return context.GetErrors().map((error) => ({ ...error, message: inWords(error) }));
}

/** Checks a value against a schema that is asked for once: it is not compiled. */
export function fits(schema: unknown, value: unknown): boolean {
  return Check(isPart(schema) ? boundedSchema(schema) : schema === true, value);
}

/** Checks of a body by its media types, for bodies that may have several. */
export function bodyValidators(body: Body | null): ReadonlyMap<string, Validate> {
  const others = body?.others ?? [];
  const all = body === null ? [] : [body, ...others];
  return new Map(all.map(({ mediaType, schema }) => [mediaType, validator(schema)]));
}

/**
 * Checks of an operation's successful answers, by status. Compiled when asked for: tests need them, and a service that
 * starts does not.
 */
export function responseValidators({ responses }: Operation): Readonly<Record<number, Validate>> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, body]) => [status, validator(body?.schema ?? null)]),
  );
}

/** The same schema, with ours in the place of checks that the compiler makes in more than linear time. */
export function boundedSchema(schema: JsonSchema): JsonSchema {
  const { uniqueItems, pattern, ...rest } = mapHeld('schema', schema, ({ value }) =>
    isPart(value) ? boundedSchema(value) : value,
  );
  return withShortNames({
    ...rest,
    ...(pattern === undefined ? {} : { pattern: boundedPattern(pattern) }),
    ...(uniqueItems === true ? { '~refine': [UNIQUE_ITEMS] } : {}),
  });
}

function boundedPattern(pattern: unknown): unknown {
  return typeof pattern === 'string' && isExponential(pattern) ? new LinearPattern(pattern) : pattern;
}

/** The compiler makes expressions of the keys of `patternProperties` itself: they are tried on short names alone. */
function withShortNames(schema: JsonSchema): JsonSchema {
  if (!isPart(schema.patternProperties) || !Object.keys(schema.patternProperties).some(isExponential))
    return schema;
  const areShort = { propertyNames: { maxLength: TRIED_LENGTH_MAX } };
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return { if: areShort, then: schema, else: false };
}

/** The compiler gathers all that are there twice into a list, and copies that list for each one more. */
const UNIQUE_ITEMS = {
  check: (value: unknown): boolean => !Array.isArray(value) || areUnique(value),
  error: (): string => 'must not have duplicate items',
};

function areUnique(items: readonly unknown[]): boolean {
  const known = new Set<unknown>();
  for (const item of items) {
    // Text of ours begins with a bracket, so no item is taken for it.
    const key = typeof item === 'object' && item !== null ? sortedText(item) : asKey(item);
    if (known.has(key)) return false;
    known.add(key);
  }
  return true;
}

const asKey = (item: unknown): unknown => (typeof item === 'string' ? `"${item}` : item);

/** The same for objects that differ in the order of their names. */
function sortedText(value: object): string {
  return JSON.stringify(value, (_name, item: unknown) =>
    isPart(item)
      ? Object.fromEntries(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)))
      : item,
  );
}
