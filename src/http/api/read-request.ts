import type { IncomingHttpHeaders } from 'node:http';
import type {
  CompiledOperation,
  Headers,
  Json,
  JsonSchema,
  Operation,
  UpgradableRequest,
} from '@dateline/versions';
import type { FastifyRequest } from 'fastify';
import { partsIn } from '../../api/document/parts.ts';
import { ApiError, quotableName } from '../../errors/api-error.ts';
import { requestError } from './request-error.ts';

/** A request to a route of the public API, whose parameters and query are text and whose body is whatever was sent. */
export interface ApiRoute {
  Params: Record<string, string>;
  Querystring: Json;
  Body: unknown;
}
export type ApiRequest = FastifyRequest<ApiRoute>;

/** A request as its own version makes it, and the headers that its contract knows. */
export interface ReadRequest {
  asked: UpgradableRequest;
  headers: Json;
}

/** Reads the requests of one operation by its contract; throws what that refuses. */
export function createRequestReader(compiled: CompiledOperation): (request: ApiRequest) => ReadRequest {
  const { operation, validateQuery, validateHeaders, validateBody } = compiled;
  const refuseUnknown = createUnknownQueryRefusal(operation);
  const readQuery = createQueryReader(operation.query);
  const readHeaders = createHeaderReader(operation.headers);
  return (request) => {
    refuseUnknown(request.query);
    const query = readQuery(request.query);
    const headers = readHeaders(request.headers);
    // Only what is left out is left out: null is a value, and not an object.
    const body = request.body === undefined && operation.body?.optional ? {} : request.body;
    const inQuery = validateQuery(query);
    const inHeaders = validateHeaders(headers);
    const inBody = validateBody(body);
    if (inQuery.length + inHeaders.length + inBody.length > 0)
      throw requestError(operation, [...inQuery, ...inHeaders, ...inBody], request.headers.authorization);
    // An operation's body is an object: it has just been validated.
    const taken = operation.body ? (body as Json) : {};
    const asked = { params: request.params, query, headers: headersIn(headers), body: taken, command: {} };
    return { asked, headers };
  };
}

/** Refuses secrets in the address of an operation that takes them in its body. */
export function refuseSecretsInQuery(request: ApiRequest, operation: Operation): void {
  if (request.body === undefined || operation.body === null) return;
  if (operation.errorShape) refuseSecretsInAddress(request);
}

const SECRET_FIELDS = new Set(['client_secret', 'token', 'tokens', 'code', 'refresh_token', 'code_verifier']);

/** URLs end up in logs and browser histories (RFC 6749 §2.3.1). */
function refuseSecretsInAddress(request: ApiRequest): void {
  for (const name in request.query)
    if (SECRET_FIELDS.has(name))
      throw new ApiError('invalid_request', { detail: `${name} belongs in the body, never in the URL.` });
}

/** Where the contract refuses unknown parameters: a mistyped filter would otherwise show more than was asked for. */
function createUnknownQueryRefusal({ query, unknownQuery, errors }: Operation): (sent: Json) => void {
  if (unknownQuery !== 'refused') return () => {};
  const known = propertiesOf(query ?? {}).map(([name]) => name);
  const takes = known.length === 0 ? 'it takes none' : `it takes ${known.join(', ')}`;
  return (sent) => {
    const unknown = Object.keys(sent).find((name) => !known.includes(name) && !isVersionName(name));
    if (unknown === undefined) return;
    const named = quotableName(unknown, 'A name in the query');
    const detail = `${named} is not a parameter of this request; ${takes}.`;
    throw new ApiError(errors[422] ? 'validation_failed' : 'invalid_request', { detail });
  };
}

/** A version is chosen by the header alone; in an address its name is ignored, in every version. */
function isVersionName(name: string): boolean {
  return name.toLowerCase() === 'service-version';
}

/**
 * Reads the query of one operation. A query string is text; its schema says which parameters are numbers. Unknown
 * parameters are left out.
 */
export function createQueryReader(schema: JsonSchema | null): (sent: Json) => Json {
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

/**
 * Reads the headers of one operation, named as its contract names them. Node joins repeated ones with a comma
 * and a space: where a header allows no spaces, a repeated one is malformed.
 */
function createHeaderReader(schema: JsonSchema | undefined): (sent: IncomingHttpHeaders) => Json {
  if (schema === undefined) return () => NOTHING;
  const known = propertiesOf(schema).map(([name]) => [name, name.toLowerCase()] as const);
  return (sent) =>
    Object.fromEntries(
      known.flatMap(([name, sentName]) => (sent[sentName] === undefined ? [] : [[name, sent[sentName]]])),
    );
}

/** The properties of an object schema, by name. */
function propertiesOf(schema: JsonSchema): [string, JsonSchema][] {
  return Object.entries(partsIn(schema, 'properties'));
}

const NONE: Headers = {};

/** By their names in lower case, as changes find them. */
export function headersIn(sent: Json): Headers {
  const names = Object.keys(sent);
  if (names.length === 0) return NONE;
  return Object.fromEntries(names.map((name) => [name.toLowerCase(), String(sent[name])]));
}
