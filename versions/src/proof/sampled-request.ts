import type { UpgradableRequest } from '../contract/change.ts';
import type { JsonSchema, Operation } from '../contract/contract.ts';
import { parametersIn } from '../contract/path-template.ts';
import { valueBelow } from '../openapi/json-pointer.ts';
import { isPart, type OpenApiDocument, type Part } from '../openapi/plain-data.ts';
import { isJsonType } from '../reading/read-content.ts';
import { deref, examplesOf, partAt } from '../samples/sample-in.ts';
import { sampleOf } from '../samples/sample-of.ts';
import { type Validate, type ValidationFinding, validator } from '../schema/validator.ts';

/** One schema for all parts of an operation's requests, so that they are sampled together. */
export function requestSchema(operation: Operation): JsonSchema {
  const { query, headers, body } = operation;
  const properties = {
    params: paramsSchema(operation),
    ...(query === null ? {} : { query }),
    ...(headers === undefined ? {} : { headers }),
    ...(hasJsonBody(operation) ? { body: body?.schema } : {}),
  };
  const [$defs] = Object.values(properties).flatMap((schema) => valueBelow(schema, '$defs') ?? []);
  const required = Object.keys(properties).filter((name) => name !== 'body' || body?.optional !== true);
  return { type: 'object', properties, required, additionalProperties: false, ...($defs ? { $defs } : {}) };
}

/** The requests that the author of a document gives as examples, each in one part. */
export function requestExamples(operation: Operation, document: OpenApiDocument): unknown[] {
  const usual = sampleOf(requestSchema(operation));
  if (!isPart(usual)) return [];
  const place = placeIn(operation);
  const content = partAt(document, ...place, 'requestBody', 'content', operation.body?.mediaType ?? '');
  const bodies = hasJsonBody(operation) ? examplesOf(document, content) : [];
  const item = partAt(document, ...place.slice(0, -1));
  const parameters = [item, partAt(document, ...place)].flatMap((part) =>
    Array.isArray(part?.parameters) ? part.parameters.filter(isPart) : [],
  );
  return [
    ...bodies.map((body) => ({ ...usual, body })),
    ...parameters.flatMap((parameter) => parameterExamples(deref(document, parameter), usual, document)),
  ];
}

const PARTS: Readonly<Record<string, string>> = { path: 'params', query: 'query', header: 'headers' };

function parameterExamples(parameter: Part | undefined, usual: Part, document: OpenApiDocument): unknown[] {
  const part = PARTS[String(parameter?.in)];
  if (part === undefined || !isPart(usual[part])) return [];
  const others = usual[part];
  return examplesOf(document, parameter).map((value) => ({
    ...usual,
    [part]: { ...others, [String(parameter?.name)]: value },
  }));
}

/** Where the operation stands in its document. */
export function placeIn({ path, method }: Operation): string[] {
  return ['paths', path, method.toLowerCase()];
}

/** A sampled request as changes get it. */
export function sampledRequest(sample: unknown): UpgradableRequest {
  const part = (name: string): Readonly<Record<string, unknown>> => {
    const value = valueBelow(sample, name);
    return isPart(value) ? value : {};
  };
  const headers = Object.entries(part('headers')).map(([name, value]) => [name.toLowerCase(), textOf(value)]);
  const params = Object.entries(part('params')).map(([name, value]) => [name, textOf(value)]);
  return {
    params: Object.fromEntries(params),
    query: part('query'),
    headers: Object.fromEntries(headers),
    body: hasBody(sample) ? (valueBelow(sample, 'body') as UpgradableRequest['body']) : {},
    command: {},
  };
}

export function hasBody(sample: unknown): boolean {
  return isPart(sample) && Object.hasOwn(sample, 'body');
}

/** Returns a check that says what is wrong with requests that reach an operation; null where nothing is. */
export function createRequestCheck(operation: Operation) {
  const params = textCheck(paramsSchema(operation));
  const headers = textCheck(operation.headers ?? null);
  const query = validator(operation.query);
  const body = validator(hasJsonBody(operation) ? (operation.body?.schema ?? null) : null);
  return (request: UpgradableRequest, isBodySent: boolean): string | null => {
    if (!isBodySent && operation.body && operation.body.optional !== true && hasJsonBody(operation))
      return 'it has no body, which is required';
    return (
      said('path parameters', params(request.params)) ??
      said('query', query(request.query)) ??
      said('headers', headers(request.headers)) ??
      (isBodySent ? said('body', body(request.body)) : null)
    );
  };
}

function said(part: string, [finding]: readonly ValidationFinding[]): string | null {
  return finding
    ? `its ${part}${finding.instancePath && ` at ${finding.instancePath}`} ${finding.message}`
    : null;
}

/** Bodies of other types are bytes to a change. */
export function hasJsonBody({ body }: Operation): boolean {
  return body !== null && isJsonType(body.mediaType);
}

function paramsSchema({ path, params }: Operation): JsonSchema {
  const names = parametersIn(path);
  const any = Object.fromEntries(names.map((name) => [name, { type: 'string', minLength: 1 }]));
  const properties = { ...any, ...(isPart(params?.properties) ? params.properties : {}) };
  return { ...(params ?? {}), type: 'object', properties, required: names };
}

/** Parameters and headers are text: each is read as one of the things that it may stand for. */
function textCheck(schema: JsonSchema | null): Validate {
  const properties = isPart(schema?.properties) ? schema.properties : {};
  const known = Object.entries(properties).map(([name, part]) => ({
    name,
    fits: readingFits(part, schema?.$defs),
  }));
  const whole = validator(schema && { ...schema, properties: {} });
  return (texts) => {
    const given = new Map(
      Object.entries(isPart(texts) ? texts : {}).map(([name, text]) => [name.toLowerCase(), text]),
    );
    const named = known.filter(({ name }) => given.has(name.toLowerCase()));
    const missing = whole(Object.fromEntries(named.map(({ name }) => [name, given.get(name.toLowerCase())])));
    const wrong = named.find(({ name, fits }) => !fits(given.get(name.toLowerCase())));
    if (missing.length > 0 || !wrong) return missing;
    const finding = { keyword: 'text', schemaPath: '', params: {}, message: 'does not fit its schema' };
    return [{ ...finding, instancePath: `/${wrong.name}` }];
  };
}

function readingFits(part: unknown, $defs: unknown): (text: unknown) => boolean {
  const validate = validator(isPart(part) ? { ...part, $defs } : null);
  return (text) => readingsOf(text).some((reading) => validate(reading).length === 0);
}

function readingsOf(text: unknown): unknown[] {
  if (typeof text !== 'string') return [];
  const items = text.split(',');
  return [text, ...scalars(text), items, items.map((item) => scalars(item)[0] ?? item)];
}

function scalars(text: string): unknown[] {
  if (text === 'true' || text === 'false') return [text === 'true'];
  return text !== '' && Number.isFinite(Number(text)) ? [Number(text)] : [];
}

function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? JSON.stringify(value)
    : String(value);
}
