type Members = Readonly<Record<string, unknown>>;

/** The members of an object; none where the value is something else. */
export function membersOf(value: unknown): Members {
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}
