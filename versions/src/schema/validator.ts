import { Check, Compile, ErrorContext, ErrorSchema, Stack } from 'typebox/schema';
import { Locale } from 'typebox/system';
import type { Body, JsonSchema, Operation } from '../contract/contract.ts';
import { isPart } from '../openapi/plain-data.ts';
import { boundedSchema } from './bounded-schema.ts';

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
