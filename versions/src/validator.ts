import { Check, Compile } from 'typebox/schema';
import type { Body, JsonSchema, Operation } from './contract.ts';

/** Answers with what is wrong with a value; empty when nothing is. */
export type Validate = (value: unknown) => readonly ValidationFinding[];

export interface ValidationFinding {
  keyword: string;
  instancePath: string;
  params: object;
  message: string;
}

/** Compiles a schema. Without one, every value passes. */
export function validator(schema: JsonSchema | null): Validate {
  if (schema === null) return () => [];
  const compiled = Compile(schema);
  return (value) => (compiled.Check(value) ? [] : (compiled.Errors(value)[1] as ValidationFinding[]));
}

/** Whether a value fits a schema that is asked for once: it is not compiled. */
export function fits(schema: unknown, value: unknown): boolean {
  // Whoever asks has checked that it is a schema.
  return Check(schema as JsonSchema | boolean, value);
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
