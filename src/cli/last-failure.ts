import { isObject, type Json } from './json.ts';

/** Items of a list for people: the last failure in words, and when it was. */
export function withLastFailure(items: readonly Json[]): Json[] {
  return items.map((item) => ({ ...item, last_failure: failureText(item.last_failure) }));
}

function failureText(failure: unknown): string | null {
  if (!isObject(failure)) return null;
  const { at, message, status, code } = failure;
  return `${message ?? [status, code].filter(Boolean).join(' ')} (${at})`;
}
