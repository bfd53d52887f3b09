import type { ServerResponse } from 'node:http';
import { type CompiledOperation, declaredBody, isJsonType, type Operation } from '@dateline/versions';
import type { FolderHandler, FolderHandlers } from '../../../api/folder/load-handlers.ts';
import type { Environment } from '../../../environments/environment.ts';
import { networkOf } from '../../../kernel/throttle.ts';
import type { ActiveToken } from '../../../oauth/types.ts';
import { currentSpan, spanning } from '../../../tracing/span.ts';
import type { CallerFact, HeaderForwarder } from '../../../upstream/forwarded-headers.ts';
import { type IdentityTokens, identityClaims } from '../../../upstream/identity-token.ts';
import type { CallerSignal, UpstreamAnswer } from '../../../upstream/types.ts';
import type { Upstream } from '../../../upstream/upstream.ts';
import { requestContext } from '../../edge/request-context.ts';
import { mayUse } from '../authenticate-token.ts';
import type { ApiRequest } from '../read-request.ts';
import type { ReadOnlyRule } from './marked-members.ts';
import type { StreamRule } from './streamed-answers.ts';
import type { PathWriter } from './target-path.ts';
import type { UnknownParts } from './unknown-parts.ts';
import { bufferOf, type UpstreamAsk } from './upgrade-request.ts';

/** The servers and handlers behind the operator's API in one environment. */
export interface Backend {
  upstream: Upstream;
  identityOf: IdentityTokens;
  /** Whom those are for: the `aud` of what they say. */
  audience: string;
  handlers: FolderHandlers;
  /** The version that the upstream speaks. */
  version: string;
  /** What it wants to know about callers. */
  wanted: readonly CallerFact[];
  /** What becomes of query parameters that the contract does not have; they are never forwarded. */
  unknownQuery: 'ignore' | 'refuse';
  /** What becomes of properties that are `readOnly`; they are never forwarded. */
  readOnlyInRequests: ReadOnlyRule;
  /** A request had parts that its contract does not know. */
  onUnknown(operationId: string, requestId: string, unknown: UnknownParts): void;
  /** An answer was not what the contract says. */
  onViolation(operationId: string): void;
  /** Stands before the handlers and the upstream, sees each call, and may answer in their place. */
  between?: AskBetween;
}

export type AskBetween = (
  operation: BackendOperation,
  asking: Asking,
  ask: () => Promise<UpstreamAnswer>,
) => Promise<UpstreamAnswer>;

/** An operation of one version, and the one of Next that the backend answers. */
export interface BackendOperation {
  compiled: CompiledOperation;
  head: Operation;
  environment: Environment;
  backend: Backend;
  pathFor: PathWriter;
  forwardedHeaders: HeaderForwarder;
  wantsStream: StreamRule;
}

export interface Asking {
  request: ApiRequest;
  ask: UpstreamAsk;
  token: ActiveToken | null;
  response: ServerResponse;
}

/** Lets the handler of the folder answer, or the upstream where there is none. */
export function askBackend(operation: BackendOperation, asking: Asking): Promise<UpstreamAnswer> {
  const { between } = operation.backend;
  return between ? between(operation, asking, () => askOne(operation, asking)) : askOne(operation, asking);
}

function askOne(operation: BackendOperation, asking: Asking): Promise<UpstreamAnswer> {
  const handler = operation.backend.handlers[operation.head.id];
  return handler ? answeredHere(handler, operation, asking) : askUpstream(operation, asking);
}

const callerGone = new Error('the caller has gone');

/** Gone when the connection is, or when it was answered without the backend: nobody waits for the answer any more. */
class Caller implements CallerSignal {
  readonly reason = callerGone;
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get aborted(): boolean {
    return this.#response.closed;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#response.on('close', listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#response.off('close', listener);
  }
}

const JSON_TYPE = 'application/json';

/** The folder's own answer, as if an upstream had given it. */
async function answeredHere(
  handler: FolderHandler,
  { head, environment, backend }: BackendOperation,
  { ask, token, response }: Asking,
): Promise<UpstreamAnswer> {
  const leaving = new AbortController();
  response.once('close', () => leaving.abort(callerGone));
  const claims = token && identityClaims(environment, token, backend.audience);
  const { status, body = null } = await handler({ request: ask.request, claims, signal: leaving.signal });
  const bytes = body === null ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
  const { mediaType = JSON_TYPE } = declaredBody(head, status) ?? {};
  const type = isJsonType(mediaType) ? mediaType : JSON_TYPE;
  return { status, headers: { 'content-type': type }, body: bytes };
}

/** A call of the upstream is a part of what is traced. */
function askUpstream(operation: BackendOperation, asking: Asking): Promise<UpstreamAnswer> {
  const parent = currentSpan();
  if (!parent) return callUpstream(operation, asking);
  const { id, method } = operation.head;
  const attributes = { 'http.request.method': method, 'dateline.operation': id };
  const span = parent.begin({ name: `upstream ${id}`, kind: 'client', attributes });
  return spanning(span, async () => {
    const answer = await callUpstream(operation, asking);
    span.set({ 'http.response.status_code': answer.status });
    return answer;
  });
}

async function callUpstream(operation: BackendOperation, asking: Asking): Promise<UpstreamAnswer> {
  const { head, environment, backend } = operation;
  const { request, ask, token, response } = asking;
  const { params, headers: declared } = ask.request;
  const { requestId, version: callerVersion } = requestContext(request.raw);
  const { stream } = ask.content ?? {};
  const headers = operation.forwardedHeaders({
    identityToken: token && (await backend.identityOf(environment, token)),
    version: backend.version,
    callerVersion,
    requestId,
    callerAddress: request.ip,
    callerHeaders: request.headers,
    declared,
    mediaType: ask.content?.mediaType ?? null,
  });
  const length = stream && request.headers['content-length'];
  if (length) headers['content-length'] = length;
  return backend.upstream.call(
    {
      operation: head.id,
      client: clientOf(request, token),
      method: head.method,
      path: operation.pathFor(params, (operation) => mayUse(token, operation)),
      query: ask.query,
      headers,
      body: stream ?? (ask.content && bufferOf(ask.content.bytes)),
      wantsStream: operation.wantsStream,
    },
    new Caller(response),
  );
}

/** Where anyone may ask, a client is whoever shares an address: nothing else tells those apart. */
function clientOf({ ip }: ApiRequest, token: ActiveToken | null): string {
  return token?.clientId ?? networkOf(ip);
}
