import { toUSVString } from 'node:util';
import { ApiError } from '../../errors/api-error.ts';

/**
 * The same value with U+FFFD for every half of a surrogate pair, which JSON can write (`"\ud800"`) and no database or address can
 * hold. Without such an escape in its text there is none, and nothing is copied.
 */
export function wellFormed(value: unknown, text: string): unknown {
  try {
    if (/\\u[dD]/.test(text)) return replaced(value);
    walk(value);
    return value;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ApiError('invalid_request', { detail: 'The body is nested too deeply.' });
  }
}

/** Whatever cannot be walked through here could not be later, either. */
function walk(value: unknown): void {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk);
}

function replaced(value: unknown): unknown {
  if (typeof value === 'string') return toUSVString(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(replaced);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [toUSVString(name), replaced(item)]));
}
