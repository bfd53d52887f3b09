import type { Json } from '@dateline/versions';

/** The JSON value that an upstream has written; undefined if it is none. */
export function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** What a change has made, as its reader will have it: a member without a value, for one, is not written. */
export function writtenJson(made: unknown): { body: string; json: unknown } {
  const body: string | undefined = JSON.stringify(made);
  if (body === undefined) throw new Error('nothing was made of it');
  return { body, json: isPlainJson(made) ? made : JSON.parse(body) };
}

/** True for a value that comes back the same. The engine's `plainDataProblem` also says where it does not, and takes as long as reading. */
export function isPlainJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean';
  if (value === null) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (Array.isArray(value)) {
    for (const item of value) if (!isPlainJson(item)) return false;
    return prototype === Array.prototype;
  }
  for (const member of Object.values(value)) if (!isPlainJson(member)) return false;
  return prototype === Object.prototype;
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
