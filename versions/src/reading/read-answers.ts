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
import { isJsonType, isMediaType, mediaTypeOf, readContent } from './read-content.ts';

type Answers = Pick<Operation, 'responses' | 'ranges' | 'errorBodies' | 'errors' | 'answerHeaders'>;

/** The answers of an operation: successes, errors, and the headers that come with either. */
export function readAnswers(whole: OpenApiReader, responses: Location): Answers {
  const reader = { ...whole, schemas: whole.answers };
  const found = namedBelow(responses)
    .filter(([status]) => !status.startsWith('x-'))
    .flatMap(([status, location]) => readAnswer(reader, status, location));
  if (!found.some(({ status }) => isSuccess(status) || status === 'default'))
    reader.reading.refuse(responses, 'name the status of a success, such as 200');
  const exact = found.filter(({ status }) => !isRange(status));
  const ranges = rangesIn(found);
  const errors = exact.filter(({ status }) => !isSuccess(status));
  const errorBodies = errors.filter(({ body }) => body !== null || ranges.length > 0);
  const headers = headersOf(reader.reading, found);
  return {
    responses: bodiesOf(exact.filter(({ status }) => isSuccess(status))),
    ...(ranges.length > 0 ? { ranges: bodiesOf(ranges) } : {}),
    ...(errorBodies.length > 0 ? { errorBodies: bodiesOf(errorBodies) } : {}),
    errors: withErrors(
      reader.options.errors,
      errors.map((answer) => [Number(answer.status), readErrorCodes(reader, answer)]),
    ),
    ...(headers.length > 0 ? { answerHeaders: headers } : {}),
  };
}

interface FoundAnswer {
  /** Or many of them: `4XX`, `default`. */
  status: string;
  response: Found;
  body: Body | null;
}

const isRange = (status: string): boolean => /^(?:[2-5]XX|default)$/.test(status);
const isSuccess = (status: string): boolean => /^[23]/.test(status);

function bodiesOf(answers: readonly FoundAnswer[]): Record<string, Body | null> {
  return Object.fromEntries(answers.map(({ status, body }) => [status, body]));
}

/** Where nothing else is a success, what stands for all the rest is one, too. */
function rangesIn(found: readonly FoundAnswer[]): FoundAnswer[] {
  const ranges = found.filter(({ status }) => isRange(status));
  const rest = ranges.filter(({ status }) => status === 'default');
  if (found.some(({ status }) => isSuccess(status))) return ranges;
  return [...ranges, ...rest.map((answer) => ({ ...answer, status: '2XX' }))];
}

function readAnswer(reader: OpenApiReader, status: string, location: Location): FoundAnswer[] {
  const { reading } = reader;
  const reason = statusReason(status);
  if (reason !== null) reading.refuse(location, reason);
  const response = reason === null ? reading.find(location, 'response') : null;
  if (response === null) return [];
  const body = isSuccess(status) ? readSuccess(reader, status, response) : readError(reader, response);
  return [{ status, response, body }];
}

function statusReason(status: string): string | null {
  if (/^1(?:\d\d|XX)$/.test(status)) return 'what comes before an answer is not passed on';
  return /^[2-5]\d\d$/.test(status) || isRange(status) ? null : 'it is no status';
}

const WITHOUT_BODY = ['204', '205', '304'];

function readSuccess(reader: OpenApiReader, status: string, response: Found): Body | null {
  const content = below(response, 'content');
  const body = readContent(reader, content);
  if (body !== null && WITHOUT_BODY.includes(status))
    reader.reading.refuse(content, `an answer with ${status} has no body`);
  return body;
}

/** An error of a media type that stands for many is for people: it is told by its status and code. */
function readError(reader: OpenApiReader, response: Found): Body | null {
  const { path, value } = below(response, 'content');
  if (!isPart(value)) return null;
  const named = Object.entries(value).filter(([name]) => isMediaType(mediaTypeOf(name)));
  return readContent(reader, { path, value: Object.fromEntries(named) });
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
function readErrorCodes({ reading }: OpenApiReader, { status, response, body }: FoundAnswer): string[] {
  const named = below(response, 'x-error-codes');
  if (named.value !== undefined) {
    if (isCodes(named.value)) return named.value;
    reading.refuse(named, 'it must be a list of codes, such as not_found');
  }
  const schemas = jsonSchemasOf(body);
  const allowed = ['code', 'error']
    .map((property) => schemas.flatMap((schema) => textsOf(schema, property, schema.$defs)))
    .find(isCodes);
  return allowed ?? [usualCodes[Number(status)] ?? `error_${status}`];
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

function jsonSchemasOf(body: Body | null): JsonSchema[] {
  const all = body === null ? [] : [body, ...(body.others ?? [])];
  return all.flatMap(({ mediaType, schema }) => (schema !== null && isJsonType(mediaType) ? [schema] : []));
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
