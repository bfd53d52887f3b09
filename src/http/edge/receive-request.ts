import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../../errors/api-error.ts';
import { answerError, type Refusal } from './answer-error.ts';
import { type BeginningOptions, createRequestBeginning } from './begin-request.ts';
import type { EdgeState, RequestHandler } from './edge-state.ts';
import type { InFlight } from './in-flight.ts';
import { answerProbe, isProbe } from './probes.ts';
import { rejectedVersionError } from './rejected-version.ts';
import { requestContext } from './request-context.ts';
import { normalizeTarget, pathOf } from './request-path.ts';
import { rejectedUse } from './request-use.ts';

export interface ReceiverOptions extends BeginningOptions {
  state: EdgeState;
  inFlight: InFlight;
  refuse: Refusal;
}

const NO_HOST = 'A request of HTTP/1.1 needs a Host header.';
/** Besides the probes, the one path that is answered for a version that is not served. */
const METRICS = '/metrics';

/** What the edge does with a request before an app has it, such as refusals that no app should have to know. */
export function createReceiver(options: ReceiverOptions): RequestHandler {
  const { state, inFlight, refuse, versions } = options;
  const begin = createRequestBeginning(options);

  return (request, response) => {
    normalizeTarget(request);
    const path = pathOf(request);
    const selection = begin(request, response);
    inFlight.begin(request, response);
    if (isProbe(path)) return answerProbe(request, response, path, state);
    if (state.phase !== 'ready') return refuse(request, response, new ApiError(state.phase));
    if (lacksHost(request)) return refuseWithoutHost(request, response);
    if (!selection.served && path !== METRICS) {
      const context = requestContext(request);
      context.use = rejectedUse(selection, context.lifecycle.current);
      const error = rejectedVersionError(selection, context.lifecycle, versions.ledger());
      return answerError(request, response, error);
    }
    state.handle(request, response);
  };

  function refuseWithoutHost(request: IncomingMessage, response: ServerResponse): void {
    response.setHeader('connection', 'close');
    refuse(request, response, new ApiError('invalid_request', { detail: NO_HOST }));
  }
}

/** RFC 9112 §3.2. Node would answer by itself, without a version. */
function lacksHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion === '1.1';
}

/** Refuses an `Expect` other than `100-continue` (RFC 9110 §10.1.1). Node would answer without a version here, too. */
export function createExpectationRefusal(options: ReceiverOptions): RequestHandler {
  const begin = createRequestBeginning(options);
  return (request, response) => {
    normalizeTarget(request);
    begin(request, response);
    options.inFlight.begin(request, response);
    options.refuse(request, response, new ApiError('expectation_failed'));
  };
}
