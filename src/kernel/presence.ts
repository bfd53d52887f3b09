/** Returns a value that the code before guarantees. If it is missing, throws an error that names it: a bug. */
export function present<Value>(value: Value | null | undefined, what: string): Value {
  if (value === undefined || value === null) throw new Error(`${what} is missing`);
  return value;
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** The fields that have a value, to be spread over an object whose other fields stay. */
export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  // Only names of the fields come out, and none that is undefined.
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<Fields>;
}

/**
 * Fails to compile where a field is left over after all known ones were taken. A new field must be handled there, so that
 * none is accepted and then dropped.
 */
export function allMapped(_rest: Readonly<Record<string, never>>): void {}

/** The keys of an object that has no others than its type names. */
export function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(record) as Key[];
}
