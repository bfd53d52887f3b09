import { pointerBelow } from './json-pointer.ts';
import type { OpenApiProblem } from './openapi-problem.ts';

/** An object of a document. */
export type Part = Readonly<Record<string, unknown>>;

/** An OpenAPI 3.1 document, as plain data. */
export type OpenApiDocument = Part;

export function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

const VALUES_MAX = 1_000_000;
const DEPTH_MAX = 200;

/**
 * Why a value is not plain data: what JSON can say, in a size that can be walked. A YAML file may hold more than that:
 * dates, or something that contains itself. Whoever reads a document asks first, and can then trust what it sees.
 */
export function plainDataProblem(root: unknown): OpenApiProblem | null {
  const waiting: Visit[] = [{ value: root, key: '', above: null, depth: 0 }];
  for (let count = 1; ; count++) {
    const next = waiting.pop();
    if (next === undefined) return null;
    const reason = count > VALUES_MAX ? 'there is too much of it' : reasonAgainst(next.value, next.depth);
    if (reason !== null) return { path: pathTo(next), reason };
    const { value, depth } = next;
    if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value))
        waiting.push({ value: item, key, above: next, depth: depth + 1 });
  }
}

/** A value that is looked at, and where it stands. */
interface Visit {
  value: unknown;
  key: string;
  above: Visit | null;
  depth: number;
}

function pathTo({ key, above }: Visit): string {
  return above === null ? '' : pointerBelow(pathTo(above), key);
}

function reasonAgainst(value: unknown, depth: number): string | null {
  if (depth > DEPTH_MAX) return `it is nested more than ${DEPTH_MAX} levels deep, or contains itself`;
  if (value === null || ['string', 'boolean'].includes(typeof value)) return null;
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'this number is not finite';
  if (typeof value !== 'object') return `JSON has no ${typeof value}`;
  if (Array.isArray(value)) return isWhole(value) ? null : 'the list has gaps';
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    return 'this is no plain value; put it in quotes if it is a date';
  return Object.hasOwn(value, '__proto__') ? 'nothing can be called __proto__' : null;
}

/** True if a list has an item at every place, and nothing else. */
function isWhole(list: readonly unknown[]): boolean {
  const keys = Object.keys(list);
  return keys.length === list.length && keys.every((key, index) => key === String(index));
}
