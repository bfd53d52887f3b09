/** The value, where the code before has made sure that there is one. Without one this is a bug, and says which. */
export function present<Value>(value: Value | null | undefined, what: string): Value {
  if (value === undefined || value === null) throw new Error(`${what} is missing`);
  return value;
}
