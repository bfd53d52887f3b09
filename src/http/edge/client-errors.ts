import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { ApiError } from '../../errors/api-error.ts';
import type { ErrorCode } from '../../errors/catalogue.ts';
import { errorResponse } from '../../errors/error-body.ts';
import type { ServedVersions } from '../../releases/served-versions.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { Refusal } from './answer-error.ts';
import type { Exchange, InFlight } from './in-flight.ts';
import type { RequestIds } from './request-context.ts';

export interface ClientErrorOptions {
  inFlight: InFlight;
  refuse: Refusal;
  versions: ServedVersions;
  requestIds: RequestIds;
  log: Logger;
  metrics: Metrics;
}

export type ClientErrorHandler = (error: NodeJS.ErrnoException, socket: Duplex) => void;

/** Answers requests that the HTTP parser rejected, and requests that did not arrive in time. */
export function createClientErrorHandler(options: ClientErrorOptions): ClientErrorHandler {
  const { inFlight } = options;
  return (error, socket) => {
    if (error.code === 'ECONNRESET') return void socket.destroy();
    const arriving = inFlight.arriving(socket);
    if (arriving) return refuseBody(options, error, socket, arriving);
    // Invalid bytes may follow valid requests on the same connection; those are answered first.
    void inFlight.none(socket).then(() => refuseUnparsed(options, error, socket));
  };
}

/** The head of the request has arrived and its body never will. */
function refuseBody(
  { inFlight, refuse }: ClientErrorOptions,
  error: NodeJS.ErrnoException,
  socket: Duplex,
  { request, response }: Exchange,
): void {
  // An answer that is already being sent may finish; the connection cannot be reused.
  if (response.headersSent) return void inFlight.none(socket).then(() => socket.destroy());
  response.setHeader('connection', 'close');
  refuse(request, response, new ApiError(parserErrorCode(error), { internal: String(error.code) }));
}

/** There is no request and no response yet, only a socket. */
function refuseUnparsed(
  { versions, requestIds, log, metrics }: ClientErrorOptions,
  error: NodeJS.ErrnoException,
  socket: Duplex,
): void {
  if (!socket.writable) return void socket.destroy();
  const requestId = requestIds.fresh();
  const version = versions.current();
  const code = parserErrorCode(error);
  const { status, headers, body } = errorResponse(new ApiError(code));
  metrics.observeRequest({ method: 'UNKNOWN', route: 'unparsed', version, status, durationSeconds: 0 });
  log.info(
    { request_id: requestId, route: 'unparsed', version, status, error: code, internal: error.code },
    'request',
  );
  const lines = Object.entries({
    ...headers,
    'service-version': version,
    vary: 'Service-Version',
    'x-request-id': requestId,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

function parserErrorCode(error: NodeJS.ErrnoException): ErrorCode {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return 'headers_too_large';
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'request_timeout';
    default:
      return 'invalid_request';
  }
}
