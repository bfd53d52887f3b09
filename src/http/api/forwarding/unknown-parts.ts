import type { CompiledOperation } from '@dateline/versions';
import { ApiError, quotableName } from '../../../errors/api-error.ts';
import type { ApiRequest } from '../read-request.ts';
import { declaredHeaders, impliedRequestHeaders } from './implied-headers.ts';

/** The parts of a request that its contract does not know: they are not forwarded. */
export interface UnknownParts {
  query: readonly string[];
  headers: readonly string[];
}

export interface UnknownPartsRules {
  compiled: CompiledOperation;
  refusesQuery: boolean;
  onUnknown(unknown: UnknownParts, requestOf: ApiRequest): void;
}

/** Called with the names of the query that mean nothing to its contract. */
export type UnknownCheck = (request: ApiRequest, query: readonly string[]) => void;

/** Finds what a request has beyond its contract, tells it, and refuses parameters of the query where the folder says so. */
export function createUnknownCheck(rules: UnknownPartsRules): UnknownCheck {
  const { compiled, refusesQuery, onUnknown } = rules;
  const declared = [...declaredHeaders(compiled.operation), ...impliedRequestHeaders(compiled)];
  const known = new Set(declared.map((name) => name.toLowerCase()));
  const parameters = Object.keys(compiled.operation.query?.properties ?? {});
  return (request, sent) => {
    const query = sent.filter((name) => !isVersionName(name));
    const headers: string[] = [];
    for (const name in request.headers) if (!known.has(name) && !isUsual(name)) headers.push(name);
    if (query.length + headers.length === 0) return;
    onUnknown({ query, headers }, request);
    if (refusesQuery && query[0] !== undefined) throw refused(query[0], parameters);
  };
}

/** A version is chosen by the header alone; in an address its name is ignored, in every version. */
function isVersionName(name: string): boolean {
  return name.toLowerCase() === 'service-version';
}

/**
 * Headers of HTTP, of browsers and of proxies, which nobody declares: a caller does not choose to send them. Those that are ours to
 * read are among them.
 */
const USUAL = new Set([
  ...[
    'age',
    'authorization',
    'baggage',
    'connection',
    'cookie',
    'date',
    'dnt',
    'expect',
    'forwarded',
    'from',
  ],
  ...['host', 'idempotency-key', 'keep-alive', 'max-forwards', 'origin', 'pragma', 'priority', 'range'],
  ...['referer', 'save-data', 'service-version', 'te', 'traceparent', 'tracestate', 'trailer', 'upgrade'],
  ...['transfer-encoding', 'user-agent', 'via', 'x-real-ip', 'x-request-id', 'x-requested-with'],
]);
const USUAL_BEGINNING = /^(?:accept|access-control-|cache-|content-|if-|proxy-|sec-|upgrade-|x-forwarded-)/;

function isUsual(name: string): boolean {
  return USUAL.has(name) || USUAL_BEGINNING.test(name);
}

function refused(name: string, parameters: readonly string[]): ApiError {
  const takes = parameters.length === 0 ? 'it takes none' : `it takes ${parameters.join(', ')}`;
  const named = quotableName(name, 'A name in the query');
  const message = 'is not a parameter of this request';
  return new ApiError('validation_failed', {
    detail: `${named} ${message}; ${takes}.`,
    fields: [{ in: 'query', pointer: `/${quotableName(name, '')}`, message }],
  });
}
