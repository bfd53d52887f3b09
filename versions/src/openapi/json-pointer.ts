/** A JSON pointer (RFC 6901) to what stands below another one. */
export function pointerBelow(pointer: string, ...keys: readonly (string | number)[]): string {
  let below = pointer;
  for (const key of keys) below += `/${escaped(key)}`;
  return below;
}

export function keysOfPointer(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescaped);
}

/** The value that a pointer points to; undefined where there is nothing. */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const key of keysOfPointer(pointer)) value = valueBelow(value, key);
  return value;
}

/** A member of an object or an item of a list; what every object inherits does not count. */
export function valueBelow(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(String(key))) return undefined;
  return Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

function escaped(key: string | number): string {
  const text = String(key);
  // Few keys have any of the two, and every place of a document is named.
  if (!text.includes('/') && !text.includes('~')) return text;
  return text.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescaped(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~');
}
