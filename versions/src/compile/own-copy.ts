import { isDeepStrictEqual } from 'node:util';
import { isPart } from '../openapi/plain-data.ts';

/**
 * Lets a function that somebody wrote edit in place what it gets: that is a copy. One that comes out as it went in is again the very
 * value that was given, so that whoever calls sees by its identity that nothing was changed, and sends on what came as it came.
 */
export function onOwnCopy<Value, Made, More extends unknown[]>(
  translate: (value: Value, ...more: More) => Made,
): (value: Value, ...more: More) => Made | Value {
  return (value, ...more) => {
    const copy = copyOf(value);
    return unlessEdited(translate(copy, ...more), copy, value);
  };
}

/** A value that is another than the copy was made on purpose, whatever is in it. */
export function unlessEdited<Value, Made>(made: Made, copy: Value, given: Value): Made | Value {
  return Object.is(made, copy) && isDeepStrictEqual(copy, given) ? given : made;
}

/** By hand: `structuredClone` takes ten times as long. */
export function copyOf<Value>(value: Value): Value {
  return copied(value) as Value;
}

function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (!isPart(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copied(member)]));
}
