import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { listenUrl } from '../../config/load-config.ts';
import { errorResponse } from '../../errors/error-body.ts';
import { createRefusal, type EdgeErrorWriter } from './answer-error.ts';
import type { BeginningOptions } from './begin-request.ts';
import { createClientErrorHandler } from './client-errors.ts';
import { connectionsFirst } from './connections-first.ts';
import { createEdgeState, type EdgeState, type RequestHandler } from './edge-state.ts';
import { createInFlight } from './in-flight.ts';
import { type ListenAddress, listen } from './listen.ts';
import { createExpectationRefusal, createReceiver } from './receive-request.ts';
import { createRequestRecord, type RecordOptions, type RequestRecord } from './record-request.ts';
import { refuseOverdue } from './refuse-overdue.ts';

export interface EdgeOptions extends ListenAddress, BeginningOptions, RecordOptions {
  /** Writes errors that the web framework never sees. */
  writeError?: EdgeErrorWriter;
  /** Limits for the arrival of a request's head and body. */
  arrival?: ArrivalLimits;
  /** Time to serve on, not ready, before draining. */
  leaveMs?: number;
  /** Called once for each request, after its log line. */
  onEnd?: RequestRecord | undefined;
}

interface ArrivalLimits {
  limitMs: number;
  checkMs: number;
}

/** The outermost layer of one environment: every byte of every answer passes through it. */
export interface Edge {
  /** The base URL it listens on, without a slash at its end. */
  readonly url: string;
  /**
   * From here on requests reach the handler, and the node is ready as long as `problem` returns null. Every readiness
   * probe calls it, and is told the facts too.
   */
  open(handler: RequestHandler, problem?: EdgeState['problem'], facts?: EdgeState['facts']): void;
  /**
   * Says that it is not ready while it still serves, for as long as it leaves. Then it accepts no more connections, lets
   * requests in flight end, and cuts off what is left after the limit.
   */
  drain(limitMs: number): Promise<void>;
}

const KEEP_ALIVE_MS = 65_000; // Longer than the 60 s of common load balancers, so that they hang up first.
const ARRIVAL: ArrivalLimits = { limitMs: 30_000, checkMs: 5_000 };

/**
 * Starts to listen. Version selection, request ids, the log line and the metrics live here, around the web
 * framework and not in it, so that they also cover answers that the framework never sees.
 */
export async function startEdge(options: EdgeOptions): Promise<Edge> {
  const { leaveMs = 0 } = options;
  const state = createEdgeState();
  const inFlight = createInFlight(recordOf(options));
  const refuse = createRefusal(options.writeError ?? ((error) => errorResponse(error)));
  const server = createHttpServer(options.arrival);
  const serve = connectionsFirst(server, (request, response) => state.handle(request, response));
  const parts = { ...options, state, inFlight, refuse, serve };
  server
    .on('request', createReceiver(parts))
    .on('checkExpectation', createExpectationRefusal(parts))
    .on('clientError', createClientErrorHandler(parts));
  await listen(server, options);
  const endRefusals = refuseOverdue(inFlight, options.log);

  return {
    url: listenUrl(options.host, (server.address() as AddressInfo).port),
    open(handler, problem = () => null, facts = () => null) {
      state.handle = handler;
      state.problem = problem;
      state.facts = facts;
      state.phase = 'ready';
    },
    async drain(limitMs) {
      if (state.phase === 'ready' && leaveMs > 0) {
        state.phase = 'leaving';
        await delay(leaveMs);
      }
      state.phase = 'draining';
      // A connection that is kept alive would keep a draining node running.
      inFlight.afterEach(() => setImmediate(() => server.closeIdleConnections()));
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const cutOff = setTimeout(() => server.closeAllConnections(), limitMs);
      await closed;
      clearTimeout(cutOff);
      // Requests that were cut off write their log lines now that their sockets are gone.
      await inFlight.none();
      endRefusals();
    },
  };
}

function recordOf(options: EdgeOptions): RequestRecord {
  const record = createRequestRecord(options);
  const { onEnd } = options;
  if (!onEnd) return record;
  return (request, response) => {
    record(request, response);
    onEnd(request, response);
  };
}

function createHttpServer({ limitMs, checkMs }: ArrivalLimits = ARRIVAL): Server {
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    requireHostHeader: false,
    requestTimeout: limitMs,
    connectionsCheckingInterval: checkMs,
  });
  // All lines are read, up to the bytes that a head may have, so that none is dropped in silence; too many are refused.
  server.maxHeadersCount = 0;
  return server;
}
