import type { Json, JsonSchema } from '@dateline/versions';
import { ApiError } from '../../errors/api-error.ts';
import { propertiesOf } from './schema-properties.ts';

export type QueryReader = (sent: Json) => Json;

/**
 * Reads the query of one operation. A query string is text; its schema says which parameters are numbers. Unknown
 * parameters are ignored, as HTTP clients and proxies add some of their own.
 */
export function createQueryReader(schema: JsonSchema | null): QueryReader {
  if (schema === null) return () => NOTHING;
  const known = new Map(propertiesOf(schema).map(([name, { type }]) => [name, type === 'integer']));
  return (sent) =>
    Object.fromEntries(
      Object.entries(sent)
        .filter(([name]) => known.has(name))
        .map(([name, value]) => [name, readValue(name, value, known.get(name) === true)]),
    );
}

const NOTHING: Json = {};

function readValue(name: string, value: unknown, isNumber: boolean): unknown {
  if (typeof value !== 'string') {
    throw new ApiError('validation_failed', { detail: `${name} is given more than once.` });
  }
  // Text that is not a number stays text, and the schema rejects it.
  return isNumber && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
}
