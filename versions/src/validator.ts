import { Compile } from 'typebox/schema';
import type { JsonSchema, Operation } from './contract.ts';

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

/**
 * Checks of an operation's successful answers, by status. Compiled when asked for: tests need them, and a service that
 * starts does not.
 */
export function responseValidators({ responses }: Operation): Readonly<Record<number, Validate>> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, body]) => [status, validator(body?.schema ?? null)]),
  );
}
