import type { Body, Method, Operation } from '../contract/contract.ts';
import { below, type Found, type Location, type OpenApiReading } from '../openapi/openapi-reading.ts';
import { isTexts } from '../openapi/plain-data.ts';
import type { OpenApiReader } from './openapi-reader.ts';
import { readAnswers } from './read-answers.ts';
import { readContent } from './read-content.ts';
import { readParameters } from './read-parameters.ts';
import { readSecurity } from './read-security.ts';

export interface OperationPlace {
  path: string;
  method: Method;
  location: Location;
  /** The parameters that all operations of its path share. */
  shared: Location;
}

/** One operation of a document; null where it cannot be kept at all. */
export function readOperation(
  reader: OpenApiReader,
  { path, method, location, shared }: OperationPlace,
): Operation | null {
  const { reading } = reader;
  const found = reading.find(location, 'operation');
  if (found === null) return null;
  const id = readId(reading, found, `${method} ${path}`);
  const security = readSecurity(reader, found, id);
  const parameters = readParameters(reader, { path, location: found, shared });
  const body = readRequestBody(reader, method, below(found, 'requestBody'));
  const answers = readAnswers(reader, below(found, 'responses'));
  if (id === null || security === null) return null;
  const { summary } = found.value;
  return {
    id,
    method,
    path,
    summary: typeof summary === 'string' ? summary : id,
    groups: readGroups(reading, below(found, 'tags')),
    security,
    ...parameters,
    body,
    ...answers,
  };
}

const ID_LENGTH_MAX = 500;

/** The id of an operation; its method and path where it has none, which nothing else in the document can change. */
function readId({ refuse }: OpenApiReading, operation: Found, address: string): string | null {
  const location = below(operation, 'operationId');
  const { value = address } = location;
  return isName(value, ID_LENGTH_MAX) ? value : refuse(location, `it must be ${nameOf(ID_LENGTH_MAX)}`);
}

/** True of what operations and event kinds may be called. */
export function isName(value: unknown, most: number): value is string {
  if (typeof value !== 'string' || value.length > most) return false;
  return /^\P{Cc}+$/u.test(value) && !(value in Object.prototype);
}

/** The same in words. */
export const nameOf = (most: number): string =>
  `text of 1 to ${most} characters without control characters, and no name that every object of JavaScript has`;

function readGroups({ refuse }: OpenApiReading, tags: Location): string[] {
  const { value = ['api'] } = tags;
  if (isTexts(value)) return value.length === 0 ? ['api'] : value;
  refuse(tags, 'it must be a list of names');
  return [];
}

function readRequestBody(reader: OpenApiReader, method: Method, location: Location): Body | null {
  // Neither GET nor HEAD has one (RFC 9110 §9.3.1): OpenAPI 3.0 has it ignored, and 3.1 has it mean nothing.
  if (location.value === undefined || method === 'GET' || method === 'HEAD') return null;
  const { reading } = reader;
  const found = reading.find(location, 'requestBody');
  if (found === null) return null;
  const content = below(found, 'content');
  const body = readContent(reader, content);
  if (body === null) reading.refuse(content, 'it must name a media type');
  return body && found.value.required !== true ? { ...body, optional: true } : body;
}
