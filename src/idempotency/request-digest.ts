import { digestOf } from '../kernel/digest.ts';

/** Equal for equal requests: the order of keys in an object does not matter. */
export function requestDigest(request: unknown): Buffer {
  return digestOf(JSON.stringify(request, sortKeys));
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
