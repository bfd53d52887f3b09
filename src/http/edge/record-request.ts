import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Metrics } from '../../telemetry/metrics.ts';
import { createRequestLines } from '../../telemetry/request-lines.ts';
import type { NewFailure } from '../../usage/failures/keep-failures.ts';
import type { Use } from '../../usage/types.ts';
import { requestContext } from './request-context.ts';
import { endRequestSpan } from './trace-request.ts';

export interface RecordOptions {
  log: Logger;
  metrics: Metrics;
  /** Counts a request as usage of the API, once, when it has ended. */
  countUse(use: Readonly<Use>): void;
  /** A request to the API was answered with an error. */
  noteFailure(failure: NewFailure): void;
}

export type RequestRecord = (request: IncomingMessage, response: ServerResponse) => void;

/** For the log and the metrics: the client was gone, or was cut off, before its answer was sent. Never sent. */
const CLIENT_CLOSED_REQUEST = 499;

/** Writes the log line of a request that has ended, and counts it. */
export function createRequestRecord({ log, metrics, countUse, noteFailure }: RecordOptions): RequestRecord {
  const writeLine = createRequestLines(log);
  return (request, response) => {
    const { requestId, startedAtMs, version, route, use, operatorKeyId, error, internal, traceId, span } =
      requestContext(request);
    const durationMs = performance.now() - startedAtMs;
    const method = request.method ?? 'UNKNOWN';
    const status = response.writableFinished ? response.statusCode : CLIENT_CLOSED_REQUEST;
    metrics.observeRequest({ method, route, version, status, durationSeconds: durationMs / 1000 });
    if (use) {
      metrics.observeUse(use);
      countUse(use);
      if (status >= 400) {
        const { clientId, operation } = use;
        const code = error ?? null;
        noteFailure({
          ...{ requestId, clientId, operation, method, route, version, status, code },
          durationMs: Math.round(durationMs),
        });
      }
    }
    const clientId = use?.clientId ?? null;
    writeLine({
      requestId,
      method,
      route,
      version,
      status,
      durationMs,
      clientId,
      operatorKeyId,
      error,
      internal,
      traceId,
    });
    if (span)
      endRequestSpan(span, {
        ...{ requestId, method, route, version, status, clientId, error },
        operation: use?.operation ?? null,
      });
  };
}
