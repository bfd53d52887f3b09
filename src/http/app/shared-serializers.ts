import { build, type Schema } from 'fast-json-stringify';

type Serializer = (body: unknown) => string;

const made = new Map<string, Serializer>();

/**
 * Writes what has this schema as JSON. Most schemas are the same in all versions, and all are in both environments: each
 * is compiled once per process, which was a third of the time that a start takes.
 */
export function serializerOf(schema: unknown): Serializer {
  const key = JSON.stringify(schema);
  const known = made.get(key) ?? build(schema as Schema);
  made.set(key, known);
  return known;
}
