import { below, itemsBelow, type Location, namedBelow } from '../openapi/openapi-reading.ts';
import { isPart, isTexts, type OpenApiDocument } from '../openapi/plain-data.ts';
import { parseApiVersion } from '../version/api-version.ts';
import {
  type Body,
  type Contract,
  type ErrorShape,
  type EventKind,
  type JsonSchema,
  type Method,
  methods,
  type Operation,
  type Security,
} from './contract.ts';

/**
 * Reads a contract from the document that `toOpenApi` wrote, with its schemas, codes and scopes exactly as they stand
 * there: `readOpenApi` would normalise them. Throws where it is no such document.
 */
export function fromOpenApi(document: OpenApiDocument): Contract {
  const root: Location = { path: '', value: document };
  const operations = namedBelow(below(root, 'paths')).flatMap(([path, item]) =>
    methods
      .map((method) => ({ method, location: below(item, method.toLowerCase()) }))
      .filter(({ location }) => location.value !== undefined)
      .map(({ method, location }) => operationAt(location, path, method)),
  );
  return {
    version: versionOf(root),
    errorShape: at(below(root, 'x-error-shape'), isErrorShape),
    operations,
    events: namedBelow(below(root, 'webhooks')).map(([kind, item]) => eventAt(below(item, 'post'), kind)),
  };
}

function versionOf(root: Location): Contract['version'] {
  const text = at(below(root, 'info', 'version'), isText);
  const version = parseApiVersion(text);
  if (version === null) throw new Error(`a contract's info.version must be YYYY-MM; "${text}" is not`);
  return version;
}

function operationAt(location: Location, path: string, method: Method): Operation {
  const clientAuthentication = below(location, 'x-client-authentication');
  const errorShape = below(location, 'x-error-shape');
  const headers = parametersAt(location, 'header');
  const answers = namedBelow(below(location, 'responses')).map(([status, response]) => ({
    status: Number(status),
    response,
    codes: below(response, 'x-error-codes'),
  }));
  return {
    id: at(below(location, 'operationId'), isText),
    method,
    path,
    summary: at(below(location, 'summary'), isText),
    groups: at(below(location, 'tags'), isTexts),
    security: securityAt(below(location, 'security', 0)),
    ...(isThere(clientAuthentication) ? { clientAuthentication: at(clientAuthentication, isTexts) } : {}),
    query: parametersAt(location, 'query'),
    ...(isThere(below(location, 'x-unknown-query')) ? { unknownQuery: 'refused' } : {}),
    ...(headers ? { headers } : {}),
    ...(isThere(errorShape) ? { errorShape: at(errorShape, isErrorShape) } : {}),
    body: requestBodyAt(below(location, 'requestBody')),
    responses: Object.fromEntries(
      answers
        .filter(({ codes }) => !isThere(codes))
        .map(({ status, response }) => [status, bodyAt(below(response, 'content'))]),
    ),
    errors: Object.fromEntries(
      answers.filter(({ codes }) => isThere(codes)).map(({ status, codes }) => [status, at(codes, isTexts)]),
    ),
  };
}

function securityAt(requirement: Location): Security {
  const [entry] = namedBelow(requirement);
  if (!entry) return { scheme: 'none' };
  const [name, scopes] = entry;
  return name === 'bearer' ? { scheme: 'bearer', scopes: at(scopes, isTexts) } : { scheme: 'secret', name };
}

function parametersAt(operation: Location, sentIn: 'query' | 'header'): JsonSchema | null {
  const parameters = itemsBelow(below(operation, 'parameters'))
    .map((parameter) => at(parameter, isPart))
    .filter((parameter) => parameter.in === sentIn);
  if (parameters.length === 0) return null;
  return {
    type: 'object',
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
  };
}

function requestBodyAt(location: Location): Body | null {
  const body = bodyAt(below(location, 'content'));
  return body && below(location, 'required').value === false ? { ...body, optional: true } : body;
}

function bodyAt(content: Location): Body | null {
  const [entry] = namedBelow(content);
  return entry ? { mediaType: entry[0], schema: at(below(entry[1], 'schema'), isPart) } : null;
}

function eventAt(post: Location, kind: string): EventKind {
  const scopes = below(post, 'x-scopes');
  const content = below(post, 'requestBody', 'content', 'application/json');
  return {
    kind,
    summary: at(below(post, 'summary'), isText),
    ...(isThere(scopes) ? { scopes: at(scopes, isTexts) } : {}),
    schema: at(below(content, 'schema'), isPart),
    example: at(below(content, 'examples', 'example', 'value'), isPart),
  };
}

function isErrorShape(value: unknown): value is ErrorShape {
  if (!isPart(value)) return false;
  return typeof value.name === 'string' && typeof value.mediaType === 'string' && isPart(value.schema);
}

function isThere({ value }: Location): boolean {
  return value !== undefined;
}

/** The value at a place, if it is what was written there. */
function at<Value>({ path, value }: Location, is: (value: unknown) => value is Value): Value {
  if (is(value)) return value;
  throw new Error(`the document of this contract is not one that toOpenApi wrote: see #${path}`);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
