import { toUSVString } from 'node:util';

/**
 * The same value with U+FFFD for every half of a surrogate pair, which JSON can write (`"\ud800"`) and no database or address can
 * hold.
 */
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return toUSVString(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [toUSVString(name), wellFormed(item)]),
  );
}
