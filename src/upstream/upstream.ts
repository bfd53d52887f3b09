import { finished, pipeline, Readable, Transform } from 'node:stream';
import type { Clock } from '../kernel/clock.ts';
import { nextInput } from '../outbound/next-input.ts';
import { createUnderWay } from '../outbound/under-way.ts';
import { type CallLimit, startCallLimit } from './call-limit.ts';
import { type CircuitSettings, createCircuits, type Verdict } from './circuit.ts';
import { createConnections, type GatedConnection } from './connections.ts';
import { createDeadlines } from './deadlines.ts';
import { exchange, type Sending } from './exchange.ts';
import { type AddressTranslation, createAddressTranslation } from './own-address.ts';
import { createSlots } from './slots.ts';
import { createTargetWriter } from './target.ts';
import type { CallerSignal, UpstreamAnswer, UpstreamRequest } from './types.ts';
import { causeOf, type Failure, UpstreamError } from './upstream-error.ts';

export interface UpstreamOptions {
  /** May have a path, which all calls are below. */
  baseUrl: URL;
  /** The prefix that callers know its paths below. */
  mount?: string;
  clock: Clock;
  /** From the call to the last byte of an answer that is gathered, and to the headers of one that is streamed. */
  timeoutMs?: number;
  /** The time for which a stream may be silent while more is wanted, or be left unread. */
  idleMs?: number;
  /** Connections that wait for the next call; more may be in use. */
  connectionsMax?: number;
  /** Calls and streams at the same time; another one is refused at once. */
  inFlightMax?: number;
  /** The same for one client. */
  inFlightPerClientMax?: number;
  /** An answer that is larger becomes a stream. */
  answerBytesMax?: number;
  circuit?: Partial<CircuitSettings>;
  /** Certificates to trust instead of the usual ones, as PEM. */
  ca?: string;
  onEvent?(event: UpstreamEvent): void;
}

/** The end of a call. A stream ends with its last byte. */
export type UpstreamOutcome = 'answered' | 'caller_gone' | 'not_sendable' | Failure;

export type UpstreamEvent =
  | {
      type: 'call_ended';
      outcome: UpstreamOutcome;
      /** To the last byte, or to the headers of a stream. Null where nothing was tried. */
      durationMs: number | null;
    }
  | { type: 'circuit_opened' | 'circuit_closed'; operation: string };

export interface UpstreamCondition {
  /** That of any operation. */
  circuitOpen: boolean;
  inFlight: number;
}

/** The API company's own server, behind one environment. */
export interface Upstream {
  /**
   * Sends a request once: again only if it is GET or HEAD, and a kept connection was closed before a byte of an answer. All
   * that goes wrong is an `ApiError`; a caller who leaves gets the reason of the signal. Redirects are answers.
   */
  call(request: UpstreamRequest, caller: CallerSignal): Promise<UpstreamAnswer>;
  condition(): UpstreamCondition;
  readonly origin: string;
  /** Makes an address of ours of one that stands in an answer. */
  readonly ownAddress: AddressTranslation;
  /** Opens a connection, sends nothing, and says why that is not possible; null if it is. */
  reach(): Promise<string | null>;
  /** Why calls are refused now, and none is answered; null while one is. For `/readyz`. */
  problem(): string | null;
  /** Ends all connections, and all calls and streams that are still open. */
  close(): void;
}

/** Somebody waits for the finding. */
const REACH_MS_MAX = 3_000;
const CIRCUIT: CircuitSettings = { failuresMax: 5, windowMs: 30_000, openMs: 5_000 };

const CLIENT_BUSY =
  'This client has as many requests in flight at the upstream as it may have. Try again when one has ended.';

/** The share of one client in all calls in flight, by default: four of them are needed to take all. */
export function shareOf(inFlightMax: number): number {
  return Math.ceil(inFlightMax / 4);
}

export function createUpstream(options: UpstreamOptions): Upstream {
  const { baseUrl, mount = '', clock, timeoutMs = 10_000, idleMs = 30_000, onEvent = () => {} } = options;
  const { connectionsMax = 64, inFlightMax = 256, answerBytesMax = 2 ** 20 } = options;
  const { inFlightPerClientMax = shareOf(inFlightMax) } = options;
  const { origin } = baseUrl;
  const connections = createConnections({ baseUrl, keptMax: connectionsMax, ca: options.ca });
  const circuits = createCircuits({
    ...CIRCUIT,
    ...options.circuit,
    clock,
    onTurn: (operation, isOpen) => onEvent({ type: isOpen ? 'circuit_opened' : 'circuit_closed', operation }),
  });
  const targetOf = createTargetWriter(baseUrl);
  const slots = createSlots({ max: inFlightMax, perClientMax: inFlightPerClientMax });
  const deadlines = createDeadlines(timeoutMs);
  /** The limits of all calls in flight, and of all streams. */
  const limits = createUnderWay<CallLimit>();
  let isClosed = false;

  async function call(request: UpstreamRequest, caller: CallerSignal): Promise<UpstreamAnswer> {
    const target = targetOf(request);
    if (caller.aborted) throw caller.reason;
    const flight = takeOff(request);
    const limit = startCallLimit({ timeoutMs, deadlines, idleMs, origin, caller });
    const begun = limits.begin(limit);
    const land = (outcome: UpstreamOutcome): void => {
      limit.end();
      begun.end();
      slots.free(request.client);
      flight.ended(outcome);
    };
    try {
      const { giveBack } = connections;
      const { body } = request;
      const sent = body instanceof Readable ? { ...request, body: metered(body, limit) } : request;
      const answer = await send({ request: sent, target, origin, answerBytesMax, limit, giveBack });
      flight.answered();
      // This listens to its errors too: one that nobody else listens to must not end the process.
      if ('stream' in answer) finished(answer.stream, (error) => land(streamOutcome(error)));
      else land('answered');
      return answer;
    } catch (error) {
      land(outcomeOf(error, caller.aborted ? 'caller_gone' : 'not_sendable'));
      throw error;
    }
  }

  /** Counts a call in, or refuses it. */
  function takeOff({ operation, client }: UpstreamRequest): Flight {
    if (isClosed) throw refused('unreachable', 'this node stops');
    const shortage = slots.shortage(client);
    if (shortage === 'busy') throw refused(shortage, `${slots.taken()} calls are in flight`);
    if (shortage === 'client_busy')
      throw refused(shortage, `${slots.takenBy(client)} calls of this client are in flight`);
    const entry = circuits.of(operation).enter(client);
    if (entry.isRefused)
      throw refused('circuit_open', `calls of ${operation} have failed`, entry.waitSeconds);
    slots.take(client);
    return startFlight(
      (outcome, durationMs) => onEvent({ type: 'call_ended', outcome, durationMs }),
      (verdict) => {
        entry.conclude(verdict);
        if (verdict === 'answered') circuits.answered();
      },
    );
  }

  function refused(failure: Failure, why: string, retryAfterSeconds = 1): UpstreamError {
    onEvent({ type: 'call_ended', outcome: failure, durationMs: null });
    const detail = failure === 'client_busy' ? CLIENT_BUSY : undefined;
    return new UpstreamError(failure, { internal: `${origin}: ${why}`, detail, retryAfterSeconds });
  }

  async function send(sending: Sending): Promise<UpstreamAnswer> {
    // An upload can be sent once: not on a connection that may turn out to be closed.
    const kept = sending.request.body instanceof Readable ? null : connections.take();
    const answer = kept && (await sendOnKept(kept, sending));
    if (answer) return answer;
    const fresh = await connections.open(sending.limit);
    return (await exchange(fresh, sending)) ?? closedUnused(origin);
  }

  async function reach(): Promise<string | null> {
    const reachMs = Math.min(timeoutMs, REACH_MS_MAX);
    const limit = startCallLimit({ timeoutMs: reachMs, deadlines: createDeadlines(reachMs), idleMs, origin });
    try {
      const { socket } = await connections.open(limit);
      socket.destroy();
      return null;
    } catch (error) {
      const cause = error instanceof Error ? error.cause : error;
      return cause instanceof UpstreamError ? 'no connection in time' : causeOf(cause);
    } finally {
      limit.end();
    }
  }

  return {
    call,
    origin,
    ownAddress: createAddressTranslation(baseUrl, mount),
    reach,
    condition: () => ({ circuitOpen: circuits.isAnyOpen(), inFlight: slots.taken() }),
    problem: () => (circuits.refusesAll() ? 'the upstream does not answer' : null),
    close() {
      isClosed = true;
      for (const { item } of limits.all()) item.stop();
      connections.close();
    },
  };
}

/** An upload, with each of its chunks told to the limit. */
function metered(upload: Readable, limit: CallLimit): Readable {
  const meter: Transform = new Transform({
    transform(chunk, _encoding, done) {
      limit.upload(() => meter.readableLength > 0);
      done(null, chunk);
    },
    flush(done) {
      limit.uploaded();
      done();
    },
  });
  // Either one ends the other; the reader of the meter gets the error.
  pipeline(upload, meter, () => {});
  return meter;
}

/** One call, from when it was let through. */
interface Flight {
  /** The answer is there, or the head of one that is streamed. */
  answered(): void;
  ended(outcome: UpstreamOutcome): void;
}

function startFlight(
  onEnd: (outcome: UpstreamOutcome, durationMs: number) => void,
  conclude: (verdict: Verdict) => void,
): Flight {
  const startedAtMs = performance.now();
  let answeredAtMs: number | null = null;
  return {
    answered() {
      answeredAtMs = performance.now();
      conclude('answered');
    },
    ended(outcome) {
      if (answeredAtMs === null) conclude(verdicts[outcome]);
      onEnd(outcome, (answeredAtMs ?? performance.now()) - startedAtMs);
    },
  };
}

const verdicts: Readonly<Record<UpstreamOutcome, Verdict>> = {
  answered: 'answered',
  unreachable: 'failed',
  timeout: 'unanswered',
  closed: 'unanswered',
  broken: 'unclear',
  unread: 'left',
  stopped: 'left',
  circuit_open: 'left',
  busy: 'left',
  client_busy: 'left',
  caller_gone: 'left',
  not_sendable: 'left',
};

function outcomeOf(error: unknown, otherwise: UpstreamOutcome): UpstreamOutcome {
  return error instanceof UpstreamError ? error.failure : otherwise;
}

/**
 * Null where the request may be sent on another connection: nothing was written on this one, or the request changes nothing
 * and the server has closed what it had kept until then.
 */
async function sendOnKept(kept: GatedConnection, sending: Sending): Promise<UpstreamAnswer | null> {
  const { method } = sending.request;
  const isRepeatable = method === 'GET' || method === 'HEAD';
  // A server may have closed the connection just now. That has to be known before anything is written which cannot be sent
  // twice.
  if (!isRepeatable) await nextInput();
  try {
    return await exchange(kept, sending);
  } catch (error) {
    if (isRepeatable && error instanceof UpstreamError && error.failure === 'closed') return null;
    throw error;
  }
}

function closedUnused(origin: string): never {
  throw new UpstreamError('unreachable', { internal: `${origin}: closed before anything was sent` });
}

/** A stream that ended for another reason than a failure of the upstream was left by its reader. */
function streamOutcome(error: unknown): UpstreamOutcome {
  return error ? outcomeOf(error, 'caller_gone') : 'answered';
}
