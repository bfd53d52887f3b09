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
  const callbacks = below(found, 'callbacks');
  if (callbacks.value !== undefined)
    reading.refuse(callbacks, 'callbacks are not served; events are declared under webhooks');
  const id = readId(reading, found);
  const security = readSecurity(reader, found);
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

function readId({ refuse }: OpenApiReading, operation: Found): string | null {
  const { value, path } = below(operation, 'operationId');
  if (typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_.:-]*$/.test(value)) return value;
  refuse(
    { path, value },
    value === undefined
      ? 'it is missing; a change refers to an operation by it'
      : 'it must be a letter, followed by letters, digits and _ . : -',
  );
  return null;
}

function readGroups({ refuse }: OpenApiReading, tags: Location): string[] {
  const { value = ['api'] } = tags;
  if (isTexts(value)) return value.length === 0 ? ['api'] : value;
  refuse(tags, 'it must be a list of names');
  return [];
}

function readRequestBody(reader: OpenApiReader, method: Method, location: Location): Body | null {
  if (location.value === undefined) return null;
  const { reading } = reader;
  if (method === 'GET' || method === 'HEAD')
    reading.refuse(location, `a ${method} has no body (RFC 9110 §9.3.1)`);
  const found = reading.find(location, 'requestBody');
  if (found === null) return null;
  const content = below(found, 'content');
  const body = readContent(reader, content);
  if (body === null) reading.refuse(content, 'it must name a media type');
  return body && found.value.required !== true ? { ...body, optional: true } : body;
}
