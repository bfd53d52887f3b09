import type { Body, JsonSchema, Operation } from '../contract/contract.ts';
import {
  below,
  type Found,
  type Location,
  namedBelow,
  type OpenApiReading,
} from '../openapi/openapi-reading.ts';
import { isPart, isTexts } from '../openapi/plain-data.ts';
import { definitionIn } from '../schema/schema-definitions.ts';
import type { OpenApiReader } from './openapi-reader.ts';
import { isJsonType, mediaTypeOf, readContent } from './read-content.ts';

type Answers = Pick<Operation, 'responses' | 'errors' | 'answerHeaders'>;

/** The answers of an operation: successes, errors, and the headers that come with either. */
export function readAnswers(reader: OpenApiReader, responses: Location): Answers {
  const { reading, options } = reader;
  const found = namedBelow(responses)
    .filter(([status]) => !status.startsWith('x-') && !isProse(status))
    .flatMap(([status, location]) => readAnswer(reading, status, location));
  const isSuccess = ({ status }: FoundAnswer): boolean => status < 400;
  if (!found.some(isSuccess))
    reading.refuse(
      responses,
      'name the status of a success, such as 200; 2XX and default do not say which it is',
    );
  const headers = headersOf(reading, found);
  return {
    responses: Object.fromEntries(
      found.filter(isSuccess).map((answer) => [answer.status, readSuccess(reader, answer)]),
    ),
    errors: withErrors(
      options.errors,
      found
        .filter((answer) => !isSuccess(answer))
        .map((answer) => [answer.status, readErrorCodes(reader, answer)]),
    ),
    ...(headers.length > 0 ? { answerHeaders: headers } : {}),
  };
}

interface FoundAnswer {
  status: number;
  response: Found;
}

/** Errors are told by their status: what stands for many of them is for people. */
function isProse(status: string): boolean {
  return ['4XX', '5XX', 'default'].includes(status);
}

function readAnswer(reading: OpenApiReading, status: string, location: Location): FoundAnswer[] {
  const reason = statusReason(status);
  if (reason !== null) reading.refuse(location, reason);
  const response = reason === null ? reading.find(location, 'response') : null;
  if (response === null) return [];
  const links = below(response, 'links');
  if (links.value !== undefined) reading.refuse(links, 'links are not kept');
  return [{ status: Number(status), response }];
}

function statusReason(status: string): string | null {
  if (/^1(?:\d\d|XX)$/.test(status)) return 'what comes before an answer is not passed on';
  if (/^[23]XX$/.test(status)) return 'name the status, such as 200';
  return /^[2-5]\d\d$/.test(status) ? null : 'it is no status';
}

const WITHOUT_BODY = [204, 205, 304];

function readSuccess(reader: OpenApiReader, { status, response }: FoundAnswer): Body | null {
  const content = below(response, 'content');
  const body = readContent(reader, content);
  if (body !== null && WITHOUT_BODY.includes(status))
    reader.reading.refuse(content, `an answer with ${status} has no body`);
  return body;
}

/** Headers that are ours to set, whatever the document says. */
const SERVICE_HEADERS = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'service-version',
  'transfer-encoding',
  'vary',
  'x-request-id',
]);

function headersOf(reading: OpenApiReading, found: readonly FoundAnswer[]): string[] {
  const headers = found.flatMap(({ response }) => namedBelow(below(response, 'headers')));
  const names = headers.flatMap(([name, location]) => {
    const header = name.toLowerCase();
    if (header === 'set-cookie') reading.refuse(location, 'cookies are not passed on');
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(header)) reading.refuse(location, 'it is no name of a header');
    return reading.find(location, 'header') && !SERVICE_HEADERS.has(header) ? [header] : [];
  });
  return [...new Set(names)].sort();
}

function withErrors(
  added: Operation['errors'],
  own: readonly (readonly [number, readonly string[]])[],
): Operation['errors'] {
  const errors: Record<number, readonly string[]> = {};
  const all = [...own, ...Object.entries(added).map(([status, codes]) => [Number(status), codes] as const)];
  for (const [status, codes] of all)
    errors[status] = [...new Set([...(errors[status] ?? []), ...codes])].sort();
  return errors;
}

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
    .map((property) => schemas.flatMap((schema) => textsOf(schema, property, schema.$defs)))
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
    return schema.value === undefined ? [] : [schemas.whole(schemas.part(schema))];
  });
}

function isCodes(value: unknown): value is string[] {
  return isTexts(value) && value.length > 0 && value.every((code) => /^[\w.:-]+$/.test(code));
}

/** The texts that a schema allows for one of its properties, as far as it names them. */
function textsOf(schema: unknown, property: string, definitions: unknown): unknown[] {
  if (!isPart(schema)) return [];
  const { properties, $ref } = schema;
  const own = isPart(properties) && Object.hasOwn(properties, property) ? properties[property] : undefined;
  const inside = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((part) =>
    Array.isArray(part) ? part : [],
  );
  const referred = typeof $ref === 'string' ? [definitionIn(definitions, $ref)] : [];
  return [
    ...valuesIn(own, definitions),
    ...[...referred, ...inside].flatMap((part) => textsOf(part, property, definitions)),
  ];
}

function valuesIn(schema: unknown, definitions: unknown): unknown[] {
  if (!isPart(schema)) return [];
  if (typeof schema.$ref === 'string') return valuesIn(definitionIn(definitions, schema.$ref), definitions);
  if ('const' in schema) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : [];
}
