import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiVersion } from '@dateline/versions';
import type { Logger } from 'pino';
import type { Lifecycle } from '../../releases/release-ledger.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { createRequestLines } from '../../telemetry/request-lines.ts';
import type { RemovedVersion } from '../../usage/callers/held-requests.ts';
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
  /** Does both for a request that failed before its caller was known. */
  recordUnknownCaller(failed: UnknownCaller): void;
}

export interface UnknownCaller {
  use: Readonly<Use>;
  failure: NewFailure;
  request: IncomingMessage;
  /** The client that it named without proving it. */
  namedClient: string | null;
  /** The version that it asked for, if a release has removed it. */
  removed: RemovedVersion | null;
}

export type RequestRecord = (request: IncomingMessage, response: ServerResponse) => void;

/** For the log and the metrics: the client was gone, or was cut off, before its answer was sent. Never sent. */
const CLIENT_CLOSED_REQUEST = 499;

/** Writes the log line of a request that has ended, and counts it. */
export function createRequestRecord(options: RecordOptions): RequestRecord {
  const { log, metrics, countUse } = options;
  const recordFailedUse = createFailedUseRecord(options);
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
      if (status < 400) countUse(use);
      else recordFailedUse(request, use, { method, status, durationMs });
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

type Ending = Pick<NewFailure, 'method' | 'status' | 'durationMs'>;

/** Counts and lists a request that was answered with an error. */
function createFailedUseRecord({ countUse, noteFailure, recordUnknownCaller }: RecordOptions) {
  return (request: IncomingMessage, use: Use, { durationMs, ...ending }: Ending): void => {
    const { requestId, version, route, error, lifecycle, namedClient = null } = requestContext(request);
    const failure: NewFailure = {
      ...{ requestId, version, route, ...ending },
      clientId: use.clientId,
      operation: use.operation,
      requestedVersion: use.choice === 'defaulted' ? null : use.version,
      code: error ?? null,
      durationMs: Math.round(durationMs),
    };
    if (use.clientId === null)
      return recordUnknownCaller({
        use,
        failure,
        request,
        namedClient,
        removed: removedIn(use, lifecycle),
      });
    countUse(use);
    noteFailure(failure);
  };
}

function removedIn({ choice, version }: Use, { removedAt }: Lifecycle): RemovedVersion | null {
  const asked = choice === 'rejected_removed' ? version : null;
  const at = asked && removedAt(asked as ApiVersion);
  return asked && at ? { version: asked, at } : null;
}
