import type { Ask } from '@dateline/versions';
import type { Actor } from './cast.ts';

/** One line of a script: the request, the caller, and the expected answer. */
export interface Step extends Ask {
  readonly as: Actor;
  /** A status, and for an error its code: `201`, `404 not_found`. */
  readonly answers: string;
}

/** What a step may set beyond its operation. The owner is the caller by default. */
export type StepParts = Partial<Omit<Step, 'name' | 'operation' | 'answers'>> & { query?: string };

export type Asking = (what: string, answers: string, parts?: StepParts) => Step;

/** Steps that ask for one operation: `const list = asking('things:list', 'GET', '/v1/things/')`. */
export function asking(operation: string, method: string, path: string): Asking {
  return (what, answers, { query, ...parts } = {}) => ({
    name: `${operation}: ${what}`,
    operation,
    as: 'owner',
    method,
    path: query === undefined ? path : `${path}?${query}`,
    ...parts,
    answers,
  });
}

/** A creation that may be repeated: done once, and its key is rejected for any other request. */
export function keyedSteps(create: Asking, one: unknown, other: unknown, name = 'one'): Step[] {
  const keyed = (key: string, json: unknown) => ({ headers: { 'idempotency-key': key }, body: { json } });
  return [
    create('with a key', '201', keyed(name, one)),
    create('with the same key again', '201', keyed(name, one)),
    create('with a used key and another body', '422 idempotency_key_reused', keyed(name, other)),
    create('with a key that is none', '422 validation_failed', keyed('a b', one)),
  ];
}
