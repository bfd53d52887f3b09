import type { ServerResponse } from 'node:http';
import type { CompiledOperation, Json, Operation, UpgradableRequest } from '@dateline/versions';
import type { FastifyReply } from 'fastify';
import type { FolderHandler, FolderHandlers } from '../../../api/folder/load-handlers.ts';
import type { Environment } from '../../../environments/environment.ts';
import { type ErrorShape, errorResponse } from '../../../errors/error-body.ts';
import { networkOf } from '../../../kernel/throttle.ts';
import type { TokenVerifier } from '../../../oauth/tokens/verify-token.ts';
import type { ActiveToken } from '../../../oauth/types.ts';
import { answeredHeadersOf, type HeaderPicker } from '../../../upstream/answered-headers.ts';
import { forwardedHeadersOf, type HeaderForwarder } from '../../../upstream/forwarded-headers.ts';
import { type IdentityTokens, identityClaims } from '../../../upstream/identity-token.ts';
import type { CallerSignal, UpstreamAnswer } from '../../../upstream/types.ts';
import type { Upstream } from '../../../upstream/upstream.ts';
import { requestContext } from '../../edge/request-context.ts';
import { authenticateToken, mayUse, tokenNeeds } from '../authenticate-token.ts';
import type { ApiRequest } from '../read-request.ts';
import { type AnswerReader, createAnswerReader, type SentAnswer } from './forwarded-answers.ts';
import { errorFactsOf, forwardedError } from './forwarded-errors.ts';
import { jsonIn } from './json-in.ts';
import { createForwardedReader, declaredHeaders, type ForwardedRequest } from './read-forwarded-request.ts';
import { createPathWriter, type PathWriter } from './target-path.ts';

/** What stands behind the operator's own API in one environment. */
export interface Backend {
  upstream: Upstream;
  identityOf: IdentityTokens;
  /** Whom those are for: the `aud` of what they say. */
  audience: string;
  handlers: FolderHandlers;
  /** The version that the upstream speaks. */
  version: string;
  /** An answer was not what the contract says. */
  onViolation(operationId: string): void;
}

export interface ForwardingParts {
  compiled: CompiledOperation;
  /** The operation of Next that does the work. */
  head: Operation;
  /** All operations of Next that the upstream answers. */
  headOperations: readonly Operation[];
  environment: Environment;
  verifyToken: TokenVerifier;
  backend: Backend;
  errorShape: ErrorShape;
  /** Whether an answer outside of the contract is refused. */
  isStrict: boolean;
}

/** What forwards one operation of one version: made once, with its route. */
export interface Forwarding extends ForwardingParts {
  read(request: ApiRequest): Promise<ForwardedRequest>;
  readAnswer: AnswerReader;
  pathFor: PathWriter;
  forwardedHeaders: HeaderForwarder;
  answeredHeaders: HeaderPicker;
}

export function forwardingOf(parts: ForwardingParts): Forwarding {
  const { compiled, head, isStrict, backend } = parts;
  const onViolation = (): void => backend.onViolation(head.id);
  return {
    ...parts,
    read: createForwardedReader(compiled),
    readAnswer: createAnswerReader({ compiled, head, isStrict, onViolation }),
    pathFor: createPathWriter(head, parts.headOperations),
    forwardedHeaders: forwardedHeadersOf(declaredHeaders(compiled.operation)),
    answeredHeaders: answeredHeadersOf(head.answerHeaders ?? []),
  };
}

/** Checks a request in the version of its caller, lets the upstream answer it in Next, and answers in the caller's version. */
export async function forwardOperation(
  forwarding: Forwarding,
  request: ApiRequest,
  reply: FastifyReply,
): Promise<SentAnswer['body'] | undefined> {
  const { compiled, verifyToken } = forwarding;
  const { security } = compiled.operation;
  const token =
    security.scheme === 'bearer'
      ? await authenticateToken(request, verifyToken, tokenNeeds(compiled.operation, security.scopes))
      : null;
  const received = await forwarding.read(request);
  const upgraded = compiled.upgradeRequest?.(received.asked) ?? received.asked;
  const answer = await askBackend(forwarding, { request, received, upgraded, token, response: reply.raw });
  if (answer.status >= 400) return sendError(forwarding, reply, answer);
  const sent = readOrEnd(forwarding, answer, received.asked);
  // Only now: what is refused passes none of its headers on.
  reply.headers(headersFor(reply, forwarding.answeredHeaders(answer.headers)));
  return send(reply, sent);
}

/** A stream that is refused is ended: nobody else would read it. */
function readOrEnd({ readAnswer }: Forwarding, answer: UpstreamAnswer, asked: UpgradableRequest): SentAnswer {
  try {
    return readAnswer(answer, asked);
  } catch (error) {
    if ('stream' in answer) answer.stream.destroy();
    throw error;
  }
}

/** Links of the upstream stand beside ours, which lead on from a deprecated version. */
function headersFor(reply: FastifyReply, answered: Record<string, string>): Record<string, string> {
  const ours = reply.getHeader('link');
  if (ours === undefined || answered.link === undefined) return answered;
  return { ...answered, link: `${ours}, ${answered.link}` };
}

interface Asking {
  request: ApiRequest;
  received: ForwardedRequest;
  upgraded: UpgradableRequest;
  token: ActiveToken | null;
  response: ServerResponse;
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

function askBackend(forwarding: Forwarding, asking: Asking): Promise<UpstreamAnswer> {
  const handler = forwarding.backend.handlers[forwarding.head.id];
  return handler ? answeredHere(handler, forwarding, asking) : askUpstream(forwarding, asking);
}

/** What the folder answers itself, as if an upstream had. */
async function answeredHere(
  handler: FolderHandler,
  { environment, backend }: Forwarding,
  { upgraded, token, response }: Asking,
): Promise<UpstreamAnswer> {
  const leaving = new AbortController();
  response.once('close', () => leaving.abort(callerGone));
  const claims = token && identityClaims(environment, token, backend.audience);
  const { status, body = null } = await handler({ request: upgraded, claims, signal: leaving.signal });
  const bytes = body === null ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
  return { status, headers: { 'content-type': 'application/json' }, body: bytes };
}

async function askUpstream(forwarding: Forwarding, asking: Asking): Promise<UpstreamAnswer> {
  const { head, environment, backend } = forwarding;
  const { request, received, upgraded, token, response } = asking;
  const { requestId, version: callerVersion } = requestContext(request.raw);
  return backend.upstream.call(
    {
      operation: head.id,
      client: clientOf(request, token),
      method: head.method,
      path: forwarding.pathFor(upgraded.params, (operation) => mayUse(token, operation)),
      query: queryOf(upgraded.query),
      headers: forwarding.forwardedHeaders({
        identityToken: token && (await backend.identityOf(environment, token)),
        version: backend.version,
        callerVersion,
        requestId,
        callerHeaders: request.headers,
      }),
      body: bodyOf(forwarding, received, upgraded),
      wantsStream: false,
    },
    new Caller(response),
  );
}

/** Where anyone may ask, a client is whoever shares an address: nothing else tells those apart. */
function clientOf({ ip }: ApiRequest, token: ActiveToken | null): string {
  return token?.clientId ?? networkOf(ip);
}

function queryOf(query: Json): string {
  const names = Object.keys(query);
  if (names.length === 0) return '';
  const pairs = names.flatMap((name) =>
    [query[name]].flat().map((one): [string, string] => [name, String(one)]),
  );
  return new URLSearchParams(pairs).toString();
}

/** The bytes that came in, unless a change has made another body of them. */
function bodyOf(
  { compiled, head }: Forwarding,
  { sent }: ForwardedRequest,
  { body }: UpgradableRequest,
): Buffer | null {
  if (head.body === null) return null;
  if (compiled.upgradeRequest && (sent === null || sent.isMain)) {
    return sent === null && Object.keys(body).length === 0 ? null : Buffer.from(JSON.stringify(body));
  }
  return sent?.bytes ?? null;
}

/** What the framework sends. Not the reply, which it would wait for as for a promise. */
function send(reply: FastifyReply, { status, mediaType, body }: SentAnswer): SentAnswer['body'] | undefined {
  if (mediaType === null) reply.removeHeader('content-type');
  reply.status(status);
  if (isStream(body)) requestContext(reply.request.raw).deadline = undefined;
  return body ?? undefined;
}

function isStream(body: SentAnswer['body']): body is NodeJS.ReadableStream {
  return typeof body === 'object' && body !== null && 'pipe' in body;
}

const usualHeaders = answeredHeadersOf([]);

function sendError(forwarding: Forwarding, reply: FastifyReply, answer: UpstreamAnswer): string {
  if ('stream' in answer) answer.stream.destroy();
  const body = 'stream' in answer ? undefined : jsonIn(answer.body);
  const facts = forwardedError(errorFactsOf(answer.status, body), forwarding);
  requestContext(reply.request.raw).error = facts.code;
  const { 'retry-after': retryAfter } = usualHeaders(answer.headers);
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  const written = errorResponse({ ...facts, headers, members: {} }, forwarding.errorShape);
  reply.status(written.status).headers(written.headers);
  return written.body;
}
