import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ApiVersion, Selection } from '@dateline/versions';
import type { Logger } from 'pino';
import { listenUrl } from '../../config/load-config.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { ErrorCode } from '../../errors/catalogue.ts';
import { type ErrorResponse, errorResponse } from '../../errors/error-body.ts';
import { StartupError } from '../../errors/startup-error.ts';
import type { ServedVersions } from '../../releases/served-versions.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { Use } from '../../usage/types.ts';
import { allowScripts } from './cors.ts';
import { createInFlight } from './in-flight.ts';
import { rejectedVersionError } from './rejected-version.ts';
import { requestContext, setRequestContext } from './request-context.ts';
import type { RequestIds } from './request-ids.ts';
import { rejectedUse } from './request-use.ts';

/** Writes an error that no app has seen: in the public API as the version of the request does. */
export type EdgeErrorWriter = (error: ApiError, version: ApiVersion, path: string) => ErrorResponse;

export interface ListenAddress {
  host: string;
  port: number;
  /** The setting to name when the port cannot be had. */
  portSetting: string;
}

export interface EdgeOptions extends ListenAddress {
  log: Logger;
  metrics: Metrics;
  /** Told once about every request that counts as usage, when it has ended. */
  countUse(use: Readonly<Use>): void;
  requestIds: RequestIds;
  /** Asked at every request: a release may have happened since the last one. */
  versions: ServedVersions;
  /** How errors are told that the web framework never sees. */
  writeError?: EdgeErrorWriter;
  /** How long the head and the body of a request may take to arrive, and how often that is looked at. */
  arrival?: { limitMs: number; checkMs: number };
}

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** The outermost layer of one environment: every byte of every answer passes through it. */
export interface Edge {
  /** Where it listens, without a slash at its end. */
  readonly url: string;
  /**
   * From here on requests reach the handler, and the node is ready as long as nothing is wrong with it: `problem` says
   * what is, and is asked by every readiness probe.
   */
  open(handler: RequestHandler, problem?: () => string | null): void;
  /** Takes no more connections, lets requests in flight end, then cuts off what is left after the limit. */
  drain(limitMs: number): Promise<void>;
}

const KEEP_ALIVE_MS = 65_000; // Longer than the 60 s of common load balancers, so that they hang up first.
const ARRIVAL = { limitMs: 30_000, checkMs: 5_000 };
/** For the log and the metrics: the client was gone, or was cut off, before it had its answer. Nobody receives this. */
const CLIENT_CLOSED_REQUEST = 499;
const NO_HOST = 'A request of HTTP/1.1 needs a Host header.';
const ANY_VERSION_PATHS = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Starts to listen. Version selection, request ids, the log line and the metrics live here, around the web
 * framework and not in it: so they also hold for answers that the framework never sees.
 */
export async function startEdge(options: EdgeOptions): Promise<Edge> {
  const { log, metrics, versions, arrival = ARRIVAL, writeError = (error) => errorResponse(error) } = options;
  let state: 'starting' | 'ready' | 'draining' = 'starting';
  let handle: RequestHandler = () => {};
  let problemOf: () => string | null = () => null;
  const inFlight = createInFlight();

  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    const path = pathOf(request);
    const selection = begin(request, response);
    if (path === '/healthz' || path === '/readyz') return answerProbe(request, response, path);
    if (state !== 'ready') return refuse(request, response, new ApiError(state));
    // RFC 9112 §3.2. Node would answer that by itself, without a version.
    if (request.headers.host === undefined && request.httpVersion === '1.1') {
      response.setHeader('connection', 'close');
      return refuse(request, response, new ApiError('invalid_request', { detail: NO_HOST }));
    }
    if (!selection.served && !ANY_VERSION_PATHS.has(path)) {
      const context = requestContext(request);
      context.use = rejectedUse(selection, context.lifecycle.current);
      const error = rejectedVersionError(selection, context.lifecycle, versions.ledger());
      return answerError(request, response, error);
    }
    handle(request, response);
  }

  function begin(request: IncomingMessage, response: ServerResponse): Selection {
    const { lifecycle, select, deprecationHeaders } = versions.moment();
    // Node joins repeated headers with a comma, which no version holds: two headers are malformed, as they should be.
    const selection = select(request.headers['service-version'] as string | undefined);
    const version = selection.served ? selection.version : lifecycle.current;
    const requestId = options.requestIds.of(request);
    setRequestContext(request, {
      requestId,
      startedAtMs: performance.now(),
      version,
      pinned: selection.served && selection.pinned,
      lifecycle,
      route: 'unmatched',
    });
    response.setHeader('service-version', version);
    response.setHeader('vary', 'Service-Version');
    response.setHeader('x-request-id', requestId);
    allowScripts(request.url ?? '/', response);
    const deprecation = version === lifecycle.deprecated ? deprecationHeaders : [];
    for (const [name, value] of deprecation) response.setHeader(name, value);
    inFlight.begin(request, response, () => {
      finish(request, response);
      // A connection that is kept alive would keep a draining node alive with it.
      if (state === 'draining') setImmediate(() => server.closeIdleConnections());
    });
    return selection;
  }

  function finish(request: IncomingMessage, response: ServerResponse): void {
    const { requestId, startedAtMs, version, route, use, internal } = requestContext(request);
    const durationMs = performance.now() - startedAtMs;
    const method = request.method ?? 'UNKNOWN';
    const status = response.writableFinished ? response.statusCode : CLIENT_CLOSED_REQUEST;
    metrics.observeRequest({ method, route, version, status, durationSeconds: durationMs / 1000 });
    if (use) {
      metrics.observeUse(use);
      options.countUse(use);
    }
    log[status >= 500 ? 'error' : 'info'](
      {
        request_id: requestId,
        method,
        route,
        version,
        status,
        duration_ms: Math.round(durationMs * 1000) / 1000,
        ...(internal === undefined ? {} : { internal }),
      },
      'request',
    );
  }

  /** Tells an error as the version of the request does. */
  function refuse(request: IncomingMessage, response: ServerResponse, error: ApiError): void {
    answerError(
      request,
      response,
      error,
      writeError(error, requestContext(request).version, pathOf(request)),
    );
  }

  function answerProbe(request: IncomingMessage, response: ServerResponse, path: string): void {
    requestContext(request).route = path;
    response.setHeader('cache-control', 'no-store');
    response.setHeader('content-type', 'application/json; charset=utf-8');
    if (state === 'draining') response.setHeader('connection', 'close');
    if (path === '/healthz') return void response.writeHead(200).end('{"status":"alive"}');
    const problem = problemOf();
    const ready = state === 'ready' && problem === null;
    response
      .writeHead(ready ? 200 : 503)
      .end(JSON.stringify(problem === null ? { status: state } : { status: 'unfit', problem }));
  }

  function onExpectation(request: IncomingMessage, response: ServerResponse): void {
    pathOf(request);
    begin(request, response);
    refuse(request, response, new ApiError('expectation_failed'));
  }

  /** What the HTTP parser refused, or what did not arrive in time. */
  function onClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
    if (error.code === 'ECONNRESET') return void socket.destroy();
    const arriving = inFlight.arriving(socket);
    if (arriving) return refuseBody(error, socket, arriving);
    // Bytes that are no request may come behind good ones, which still get their answers first.
    void inFlight.none(socket).then(() => refuseUnparsed(error, socket));
  }

  /** The head of the request is here and its body never will be. */
  function refuseBody(
    error: NodeJS.ErrnoException,
    socket: Duplex,
    { request, response }: { request: IncomingMessage; response: ServerResponse },
  ): void {
    // Whoever answers without the body may finish; the connection cannot be used again.
    if (response.headersSent) return void inFlight.none(socket).then(() => socket.destroy());
    response.setHeader('connection', 'close');
    refuse(request, response, new ApiError(parserErrorCode(error), { internal: String(error.code) }));
  }

  /** There is no request and no response yet, only a socket. */
  function refuseUnparsed(error: NodeJS.ErrnoException, socket: Duplex): void {
    if (!socket.writable) return void socket.destroy();
    const requestId = options.requestIds.own();
    const version = versions.current();
    const { status, headers, body } = errorResponse(new ApiError(parserErrorCode(error)));
    metrics.observeRequest({ method: 'UNKNOWN', route: 'unparsed', version, status, durationSeconds: 0 });
    log.info({ request_id: requestId, route: 'unparsed', version, status, internal: error.code }, 'request');
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

  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      requireHostHeader: false,
      requestTimeout: arrival.limitMs,
      connectionsCheckingInterval: arrival.checkMs,
    },
    onRequest,
  );
  server.on('checkExpectation', onExpectation);
  server.on('clientError', onClientError);
  await listen(server, options);

  return {
    url: listenUrl(options.host, (server.address() as AddressInfo).port),
    open(handler, problem = () => null) {
      handle = handler;
      problemOf = problem;
      state = 'ready';
    },
    async drain(limitMs) {
      state = 'draining';
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const cutOff = setTimeout(() => server.closeAllConnections(), limitMs);
      await closed;
      clearTimeout(cutOff);
      // Requests that were cut off write their log lines now that their sockets are gone.
      await inFlight.none();
    },
  };
}

/** Answers with an error outside of the framework. */
export function answerError(
  request: IncomingMessage,
  response: ServerResponse,
  error: ApiError,
  { status, headers, body }: ErrorResponse = errorResponse(error),
): void {
  if (error.internal !== undefined) requestContext(request).internal = error.internal;
  if (error.code === 'draining') response.setHeader('connection', 'close');
  response.writeHead(status, headers).end(body);
}

/** The path alone. A target in absolute form (RFC 9112 §3.2.2) is brought to the usual one on the way. */
function pathOf(request: IncomingMessage): string {
  const target = request.url ?? '/';
  if (!target.startsWith('/') && URL.canParse(target)) {
    const { pathname, search } = new URL(target);
    request.url = pathname + search;
  }
  return (request.url ?? '/').split('?', 1)[0] ?? '/';
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

/** Throws what `startEdge` would throw if the port cannot be had, and leaves the port free. */
export async function refuseTakenPort(options: ListenAddress): Promise<void> {
  const server = createServer();
  await listen(server, options);
  await new Promise((resolve) => server.close(resolve));
}

async function listen(server: Server, { host, port, portSetting }: ListenAddress): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(listenError(error, { host, port, portSetting })),
    );
    server.listen({ host, port }, resolve);
  });
}

function listenError(error: NodeJS.ErrnoException, { host, port, portSetting }: ListenAddress): StartupError {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartupError(
        `Port ${port} is in use by another program; stop that program, or set ${portSetting} to a free port.`,
      );
    case 'EACCES':
      return new StartupError(
        `Port ${port} may not be opened by this user; set ${portSetting} to a port above 1023.`,
      );
    default:
      return new StartupError(
        `DATELINE_HOST: cannot listen on ${host} (${error.code ?? error.message}); set it to an address of this machine, such as 127.0.0.1.`,
      );
  }
}
