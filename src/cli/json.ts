/** A JSON object, as the service answers with one. */
export type Json = Readonly<Record<string, unknown>>;

/** The object in a member of an answer; an empty one where there is none. */
export function objectIn(value: unknown): Json {
  return isObject(value) ? value : {};
}

/** The objects of a list in an answer; none where there is no list. */
export function listIn(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The texts of a list in an answer; none where there is no list. */
export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
