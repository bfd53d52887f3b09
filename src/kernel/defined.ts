type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** The fields that have a value: what to lay over an object so that the others stay as they are. */
export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  // Only names of the fields come out, and none that is undefined.
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<Fields>;
}
