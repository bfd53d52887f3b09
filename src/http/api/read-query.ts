import type { Json, JsonSchema } from '@dateline/versions';
import { ApiError } from '../../errors/api-error.ts';

/**
 * A query string is text; its schema says which parameters are numbers. Parameters that the operation does not know
 * are left out, as HTTP clients and proxies add some of their own.
 */
export function readQuery(sent: Json, schema: JsonSchema | null): Json {
  const properties = (schema?.properties ?? {}) as Record<string, JsonSchema>;
  return Object.fromEntries(
    Object.entries(sent)
      .filter(([name]) => Object.hasOwn(properties, name))
      .map(([name, value]) => [name, readValue(name, value, properties[name] as JsonSchema)]),
  );
}

function readValue(name: string, value: unknown, { type }: JsonSchema): unknown {
  if (typeof value !== 'string') {
    throw new ApiError('validation_failed', { detail: `${name} is given more than once.` });
  }
  // What is no number stays text, and the schema says so.
  return type === 'integer' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
}
