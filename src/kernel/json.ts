/** Equal for equal values: the order of keys in an object does not matter. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, sortKeys);
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** A value as JSON that a database can store: lone surrogates, which are no text, become U+FFFD. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  // They are written with an escape, and hardly anything else is.
  return text.includes('\\ud') ? JSON.stringify(value, withoutLoneSurrogates) : text;
}

function withoutLoneSurrogates(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? Buffer.from(value).toString() : value;
}
