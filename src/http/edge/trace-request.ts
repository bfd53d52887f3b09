import type { IncomingMessage } from 'node:http';
import { isForMachines } from '../../telemetry/request-lines.ts';
import type { Span } from '../../tracing/span.ts';
import { parseTraceparent } from '../../tracing/traceparent.ts';
import type { Tracer } from '../../tracing/tracer.ts';
import { pathOf, type RequestContext, trustIn } from './request-context.ts';

/** Begins the trace of a request, or goes on with that of its caller. */
export type RequestTracing = (request: IncomingMessage) => Pick<RequestContext, 'traceId' | 'span'>;

export interface RequestTracingOptions {
  tracer: Tracer;
  environment: string;
  /** Those who may decide that a request is traced, or that it is not. */
  deciders: readonly string[];
}

export function createRequestTracing(options: RequestTracingOptions): RequestTracing {
  const { tracer, environment, deciders } = options;
  const isBelieved = trustIn(deciders);
  return (request) => {
    if (isForMachines(pathOf(request))) return {};
    const caller = parseTraceparent(request.headers.traceparent);
    const parent = caller && { ...caller, isBelieved: isBelieved(request.socket.remoteAddress) };
    const attributes = { 'http.request.method': request.method ?? '', 'dateline.environment': environment };
    const span = tracer.begin({ name: 'request', kind: 'server', attributes }, parent);
    return span ? { span, traceId: span.traceId } : { traceId: caller?.traceId };
  };
}

export interface EndedRequest {
  requestId: string;
  method: string;
  /** The pattern that matched. */
  route: string;
  version: string;
  status: number;
  operation: string | null;
  clientId: string | null;
  error: string | undefined;
}

/** Ends the span of a request. Its address is not told, which may contain a secret. */
export function endRequestSpan(span: Span, request: EndedRequest): void {
  const { requestId, method, route, version, status, operation, clientId, error } = request;
  span.rename(`${method} ${route}`);
  span.set({
    'http.route': route,
    'http.response.status_code': status,
    'dateline.request_id': requestId,
    'dateline.version': version,
    ...(operation === null ? {} : { 'dateline.operation': operation }),
    ...(clientId === null ? {} : { 'dateline.client_id': clientId }),
    ...(error === undefined ? {} : { 'error.type': error }),
  });
  if (status >= 500) span.fail(error ?? String(status));
  span.end();
}
