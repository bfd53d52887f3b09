import {
  bodyValidators,
  type CompiledOperation,
  isJsonType,
  type Json,
  type UpgradableRequest,
} from '@dateline/versions';
import { ApiError } from '../../../errors/api-error.ts';
import { invalidRequest } from '../../app/validation-error.ts';
import { type ApiRequest, headersIn } from '../read-request.ts';
import { createQueryReader, type SentQuery } from './fields/query.ts';
import { createSimpleReader } from './fields/read-simple.ts';
import { declaredHeaders } from './implied-headers.ts';
import { createReadOnlyRemoval, type ReadOnlyRule } from './marked-members.ts';
import { createBodyReader, formIn, type SentBody, type SentBytes } from './read-forwarded-body.ts';
import { createSegmentCheck } from './target-path.ts';
import type { UnknownCheck } from './unknown-parts.ts';
import { uploadIn } from './upload.ts';

/** A request to an operation of the operator's own API, as its own version makes it. */
export interface ForwardedRequest {
  asked: UpgradableRequest;
  query: SentQuery;
  /** The body as it was sent, byte by byte; null where the operation takes nothing. */
  sent: SentBody | null;
}

/** Reads the requests of one operation by its contract; throws what that refuses. */
export function createForwardedReader(
  compiled: CompiledOperation,
  { checkUnknown, readOnly }: { checkUnknown: UnknownCheck; readOnly: ReadOnlyRule },
): (request: ApiRequest) => Promise<ForwardedRequest> {
  const { operation, validateParams, validateQuery, validateHeaders } = compiled;
  const validateBody = bodyValidators(operation.body);
  const { styles = {} } = operation;
  const readParams = createSimpleReader(operation.params ?? null, styles.path);
  const readQuery = createQueryReader(operation);
  const readHeaders = createSimpleReader(operation.headers ?? null, styles.header);
  const { body: taken } = operation;
  const readBody = taken && createReadOnlyRemoval(taken, readOnly, createBodyReader(taken));
  const headerNames = declaredHeaders(operation);
  const requireSegments = createSegmentCheck(operation);
  return async (request) => {
    requireSegments(request.params);
    const headers = sentHeaders(request, headerNames);
    const sentQuery = readQuery(request.raw.url ?? '');
    const { values: query, unknown } = sentQuery;
    // First of all: a name that is misspelt is the reason why another one is missing.
    checkUnknown(request, unknown);
    const body = readBody && (await readBody(bytesIn(request)));
    const inParams = validateParams(readParams(request.params));
    const inQuery = validateQuery(query);
    const inHeaders = validateHeaders(readHeaders(headers));
    // What is neither JSON nor a form is not looked into.
    const inBody = body?.value === undefined ? [] : (validateBody.get(body.mediaType)?.(body.value) ?? []);
    if (inParams.length + inQuery.length + inHeaders.length + inBody.length > 0)
      throw invalidRequest({ path: inParams, query: inQuery, header: inHeaders, body: inBody });
    // Any JSON: its own contract has just taken it.
    const value = body?.isMain && isJsonType(body.mediaType) ? (body.value as Json) : formIn(body);
    return {
      asked: { params: request.params, query, headers: headersIn(headers), body: value, command: {} },
      query: sentQuery,
      sent: body,
    };
  };
}

const NO_BYTES = Buffer.alloc(0);

function bytesIn(request: ApiRequest): SentBytes {
  const { body, headers } = request;
  const bytes = body instanceof Buffer ? body : NO_BYTES;
  return { bytes, contentType: headers['content-type'] ?? '', stream: uploadIn(request) };
}

function sentHeaders({ headers }: ApiRequest, names: readonly string[]): Record<string, string> {
  const sent: Record<string, string> = {};
  for (const name of names) {
    const value = headers[name.toLowerCase()];
    if (Array.isArray(value))
      throw new ApiError('invalid_request', { detail: `${name} is sent more than once.` });
    if (value !== undefined) sent[name] = value;
  }
  return sent;
}
