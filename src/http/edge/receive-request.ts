import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiVersion, RejectionReason, Selection } from '@dateline/versions';
import { ApiError } from '../../errors/api-error.ts';
import { urlOf } from '../../kernel/url.ts';
import type { Lifecycle } from '../../releases/release-ledger.ts';
import { runIn } from '../../tracing/span.ts';
import { answerError, type Refusal } from './answer-error.ts';
import { answerProbe, isProbe } from './answer-probe.ts';
import { type BeginningOptions, createRequestBeginning } from './begin-request.ts';
import type { EdgeState, RequestHandler } from './edge-state.ts';
import type { InFlight } from './in-flight.ts';
import { guardRefusal, NO_GUARD } from './local-guard.ts';
import { pathOf, rejectedUse, requestContext } from './request-context.ts';

export interface ReceiverOptions extends BeginningOptions {
  state: EdgeState;
  inFlight: InFlight;
  refuse: Refusal;
  /** Has what the edge does not answer itself. */
  serve: RequestHandler;
}

/** Node would drop what comes after the first thousand, a version or a token among them. */
const HEADER_LINES_MAX = 1_000;
const NO_HOST = 'An HTTP/1.1 request needs a Host header.';
const TWO_HOSTS = 'A request must have only one Host header.';

/** Handles a request before any app does: the version check, probes, and refusals that all apps have in common. */
export function createReceiver(options: ReceiverOptions): RequestHandler {
  const { state, refuse, serve, local = NO_GUARD, originGuard } = options;
  const admit = createAdmission(options);

  return (request, response) => {
    if (!admit(request, response)) return;
    if (hasTooManyHeaders(request)) return refuse(request, response, tooManyHeaders());
    const foreign = originGuard?.(request) ?? null;
    if (foreign) return refuse(request, response, foreign);
    const path = pathOf(request);
    if (isProbe(path)) return answerProbe(request, response, path, state);
    if (state.phase === 'leaving') response.setHeader('connection', 'close');
    else if (state.phase !== 'ready') return refuse(request, response, new ApiError(state.phase));
    const problem = hostProblem(request);
    if (problem !== null) return refuseHost(request, response, problem);
    const refusal = guardRefusal(request, local);
    if (refusal) return refuse(request, response, refusal);
    const { span } = requestContext(request);
    if (span) runIn(span, () => serve(request, response));
    else serve(request, response);
  };

  function refuseHost(request: IncomingMessage, response: ServerResponse, detail: string): void {
    response.setHeader('connection', 'close');
    refuse(request, response, new ApiError('invalid_request', { detail }));
  }
}

/** Refuses an `Expect` other than `100-continue` (RFC 9110 §10.1.1). Node would answer without a version here, too. */
export function createExpectationRefusal(options: ReceiverOptions): RequestHandler {
  const admit = createAdmission(options);
  return (request, response) => {
    if (admit(request, response)) options.refuse(request, response, new ApiError('expectation_failed'));
  };
}

/** Returns true if the request goes on; otherwise it has been answered. */
type Admission = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Begins a request, and answers 404 to a version that is not served: before anything else, on every path. */
function createAdmission(options: ReceiverOptions): Admission {
  const { state, inFlight } = options;
  const begin = createRequestBeginning(options);
  return (request, response) => {
    normalizeTarget(request);
    const selection = begin(request);
    inFlight.begin(request, response);
    if (selection.served || !isCertain(selection, state)) return true;
    const context = requestContext(request);
    context.use = rejectedUse(selection, context.lifecycle.current);
    if (state.phase === 'draining') response.setHeader('connection', 'close');
    answerError(request, response, rejectedVersionError(selection, context.lifecycle));
    return false;
  };
}

/** Which versions are served stands in the ledger, which a node that starts has not read yet. */
function isCertain({ reason }: RejectedSelection, { phase }: EdgeState): boolean {
  return phase !== 'starting' || reason === 'malformed';
}

function tooManyHeaders(): ApiError {
  return new ApiError('headers_too_large', {
    detail: `A request may have ${HEADER_LINES_MAX} header lines at most.`,
  });
}

/** Node's list has names and values in turn. */
function hasTooManyHeaders({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length > 2 * HEADER_LINES_MAX;
}

/** RFC 9112 §3.2. Node would answer by itself, without a version, and take the first of two. */
function hostProblem({ headers, rawHeaders, httpVersion }: IncomingMessage): string | null {
  if (headers.host === undefined) return httpVersion === '1.1' ? NO_HOST : null;
  return countHosts(rawHeaders) > 1 ? TWO_HOSTS : null;
}

/** In Node's list of names and values. At every request, so it is a plain loop. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') count += 1;
  return count;
}

/** Converts a target in absolute form (RFC 9112 §3.2.2) to origin form. */
function normalizeTarget(request: IncomingMessage): void {
  const { url = '/' } = request;
  const absolute = url.startsWith('/') ? null : urlOf(url);
  if (!absolute) return;
  request.url = absolute.pathname + absolute.search;
  // The target names the host, whatever the Host header says; one is needed all the same.
  if (request.headers.host !== undefined) request.headers.host = absolute.host;
}

export type RejectedSelection = Extract<Selection, { served: false }>;

/** The error of a rejected version: distinct from a missing resource, and with the list of available versions. */
export function rejectedVersionError(
  selection: RejectedSelection,
  { deprecated, current, next, removedAt }: Lifecycle,
): ApiError {
  const at = selection.reason === 'removed' ? removedAt(selection.requested as ApiVersion) : null;
  return new ApiError('version_not_found', {
    detail: details[selection.reason],
    members: {
      reason: selection.reason,
      supported: [deprecated, current, next],
      current,
      ...(at ? { removed_at: at.toISOString() } : {}),
    },
  });
}

const details: Record<RejectionReason, string> = {
  malformed: 'The Service-Version header must be one version in the form YYYY-MM.',
  unknown: 'There is no API version with this identifier.',
  removed: 'This API version was removed. Move to a supported one.',
};
