import type { JsonSchema } from '../contract/contract.ts';
import { below, type Found, namedBelow } from '../openapi/openapi-reading.ts';
import { isPart, isTexts } from '../openapi/plain-data.ts';
import type { OpenApiReader } from './openapi-reader.ts';
import { isJsonType, mediaTypeOf } from './read-content.ts';

/**
 * The codes of an error: those that `x-error-codes` names, else those that its schema allows for `code` or `error`,
 * else the one that goes with its status.
 */
export function readErrorCodes(
  reader: OpenApiReader,
  { status, response }: { status: number; response: Found },
): string[] {
  const named = below(response, 'x-error-codes');
  if (named.value !== undefined) {
    if (isCodes(named.value)) return named.value;
    reader.reading.refuse(named, 'it must be a list of codes, such as not_found');
  }
  const schemas = schemasOf(reader, response);
  const allowed = ['code', 'error']
    .map((property) => schemas.flatMap((schema) => textsOf(schema, property)))
    .find(isCodes);
  return allowed ?? [usualCodes[status] ?? `error_${status}`];
}

const usualCodes: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'insufficient_scope',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  409: 'conflict',
  410: 'gone',
  413: 'payload_too_large',
  414: 'uri_too_long',
  415: 'unsupported_media_type',
  422: 'validation_failed',
  429: 'too_many_requests',
};

/** The schemas of its JSON bodies. What else it may look like is for people. */
function schemasOf({ reading, schemas }: OpenApiReader, response: Found): JsonSchema[] {
  const bodies = namedBelow(below(response, 'content')).filter(([name]) => isJsonType(mediaTypeOf(name)));
  return bodies.flatMap(([, location]) => {
    const schema = below(reading.find(location, 'mediaType') ?? location, 'schema');
    return schema.value === undefined ? [] : [schemas.part(schema)];
  });
}

function isCodes(value: unknown): value is string[] {
  return isTexts(value) && value.length > 0 && value.every((code) => /^[\w.:-]+$/.test(code));
}

/** The texts that a schema allows for one of its properties, as far as it names them. */
function textsOf(schema: unknown, property: string): unknown[] {
  if (!isPart(schema)) return [];
  const { properties } = schema;
  const own = isPart(properties) && Object.hasOwn(properties, property) ? properties[property] : undefined;
  const inside = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((part) =>
    Array.isArray(part) ? part : [],
  );
  return [...valuesOf(own), ...inside.flatMap((part) => textsOf(part, property))];
}

function valuesOf(schema: unknown): unknown[] {
  if (!isPart(schema)) return [];
  if ('const' in schema) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : [];
}
