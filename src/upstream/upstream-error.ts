import { ApiError } from '../errors/api-error.ts';
import type { ErrorCode } from '../errors/catalogue.ts';
import { errorCode, errorMessage } from '../kernel/error-facts.ts';

/** Why there is no answer. */
export type Failure =
  /** No connection: nothing was sent. */
  | 'unreachable'
  | 'timeout'
  /** Whoever asked does not read the answer. It has begun, so nobody sees this error. */
  | 'unread'
  /** The connection was closed before a byte of an answer came. */
  | 'closed'
  /** Something came, but no whole answer that is valid HTTP. */
  | 'broken'
  /** We ended the call because this node stops. */
  | 'stopped'
  /** Refused by the circuit: nothing was sent. */
  | 'circuit_open'
  /** Refused because too many calls are in flight: nothing was sent. */
  | 'busy'
  /** Refused because too many calls of this client are in flight: nothing was sent. */
  | 'client_busy';

const codes: Readonly<Record<Failure, ErrorCode>> = {
  unreachable: 'upstream_unavailable',
  timeout: 'upstream_timeout',
  unread: 'timeout',
  closed: 'upstream_failed',
  broken: 'upstream_failed',
  stopped: 'upstream_failed',
  circuit_open: 'upstream_unavailable',
  busy: 'upstream_unavailable',
  client_busy: 'upstream_unavailable',
};

export interface UpstreamErrorFacts {
  /** For the log: where and why. */
  internal: string;
  /** For the caller, in place of the usual words. */
  detail?: string | undefined;
  cause?: unknown;
  retryAfterSeconds?: number;
}

/** An `ApiError` that also says which failure it was: callers read only the code of its kind. */
export class UpstreamError extends ApiError {
  readonly failure: Failure;

  constructor(failure: Failure, { internal, detail, cause, retryAfterSeconds }: UpstreamErrorFacts) {
    super(codes[failure], {
      internal: `upstream ${failure}: ${internal}`,
      cause,
      ...(detail === undefined ? {} : { detail }),
      ...(retryAfterSeconds === undefined ? {} : { headers: { 'retry-after': String(retryAfterSeconds) } }),
    });
    this.failure = failure;
  }
}

/** The cause of a failure in a few words. A name with several addresses fails with an error that has no message. */
export function causeOf(error: unknown): string {
  return [errorCode(error), errorMessage(error)].filter(Boolean).join(', ');
}
