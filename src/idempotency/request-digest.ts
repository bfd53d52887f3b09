import { digestOf } from '../kernel/digest.ts';

/** Equal for requests that say the same: the order of the keys in an object says nothing. */
export function requestDigest(request: unknown): Buffer {
  return digestOf(JSON.stringify(request, sortKeys));
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
