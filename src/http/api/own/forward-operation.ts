import type { ServerResponse } from 'node:http';
import type { CompiledOperation, Json, Operation, UpgradableRequest } from '@dateline/versions';
import type { FastifyReply } from 'fastify';
import type { Environment } from '../../../environments/environment.ts';
import { type ErrorShape, errorResponse } from '../../../errors/error-body.ts';
import type { TokenVerifier } from '../../../oauth/tokens/verify-token.ts';
import type { ActiveToken } from '../../../oauth/types.ts';
import type { OwnHandler, OwnHandlers } from '../../../own-api/load-handlers.ts';
import { answeredHeadersOf, type HeaderPicker } from '../../../upstream/answered-headers.ts';
import { forwardedHeaders } from '../../../upstream/forwarded-headers.ts';
import { type IdentityTokens, identityClaims } from '../../../upstream/identity-token.ts';
import type { UpstreamAnswer } from '../../../upstream/types.ts';
import type { Upstream } from '../../../upstream/upstream.ts';
import { requestContext } from '../../edge/request-context.ts';
import { authenticateToken } from '../authenticate-token.ts';
import type { ApiRequest } from '../read-request.ts';
import { jsonIn } from './json-in.ts';
import { type AnswerReader, createAnswerReader, type SentAnswer } from './own-answers.ts';
import { errorFactsOf, ownError } from './own-errors.ts';
import { createOwnReader, type OwnRequest } from './read-own-request.ts';

/** What stands behind the operator's own API in one environment. */
export interface OwnBackend {
  upstream: Upstream;
  identityOf: IdentityTokens;
  /** Whom those are for: the `aud` of what they say. */
  audience: string;
  handlers: OwnHandlers;
  /** The version that the upstream speaks. */
  version: string;
  /** An answer was not what the contract says. */
  onViolation(operationId: string): void;
}

export interface ForwardingParts {
  compiled: CompiledOperation;
  /** The operation of Next that does the work. */
  head: Operation;
  environment: Environment;
  verifyToken: TokenVerifier;
  backend: OwnBackend;
  errorShape: ErrorShape;
  /** Whether an answer outside of the contract is refused. */
  isStrict: boolean;
}

/** What forwards one operation of one version: made once, with its route. */
export interface Forwarding extends ForwardingParts {
  read(request: ApiRequest): Promise<OwnRequest>;
  readAnswer: AnswerReader;
  answeredHeaders: HeaderPicker;
}

export function forwardingOf(parts: ForwardingParts): Forwarding {
  const { compiled, head, isStrict, backend } = parts;
  const onViolation = (): void => backend.onViolation(head.id);
  return {
    ...parts,
    read: createOwnReader(compiled),
    readAnswer: createAnswerReader({ compiled, head, isStrict, onViolation }),
    answeredHeaders: answeredHeadersOf(head.answerHeaders ?? []),
  };
}

/** Checks a request in the version of its caller, lets the upstream answer it in Next, and answers in the caller's version. */
export async function forwardOperation(
  forwarding: Forwarding,
  request: ApiRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { compiled, verifyToken } = forwarding;
  const { security } = compiled.operation;
  const token =
    security.scheme === 'bearer' ? await authenticateToken(request, verifyToken, security.scopes) : null;
  const own = await forwarding.read(request);
  const upgraded = compiled.upgradeRequest?.(own.asked) ?? own.asked;
  const caller = watchCaller(reply.raw);
  const answer = await askBackend(forwarding, { request, own, upgraded, token, signal: caller.signal });
  if (!('stream' in answer)) caller.release();
  if (answer.status >= 400) return sendError(forwarding, reply, answer);
  const sent = readOrEnd(forwarding, answer, own.asked);
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
  const ours = reply.raw.getHeader('link');
  if (ours === undefined || answered.link === undefined) return answered;
  return { ...answered, link: `${ours}, ${answered.link}` };
}

interface Asking {
  request: ApiRequest;
  own: OwnRequest;
  upgraded: UpgradableRequest;
  token: ActiveToken | null;
  signal: AbortSignal;
}

interface WatchedCaller {
  /** Aborted when the caller goes, or was answered without the backend. */
  signal: AbortSignal;
  /** The whole answer of the backend is here. To abort it all the same would cost more than most of the rest. */
  release(): void;
}

function watchCaller(response: ServerResponse): WatchedCaller {
  const controller = new AbortController();
  const end = (): void => controller.abort();
  response.once('close', end);
  return { signal: controller.signal, release: () => void response.off('close', end) };
}

async function askBackend(forwarding: Forwarding, asking: Asking): Promise<UpstreamAnswer> {
  const handler = forwarding.backend.handlers[forwarding.head.id];
  return handler ? answeredHere(handler, forwarding, asking) : askUpstream(forwarding, asking);
}

/** What the folder answers itself, as if an upstream had. */
async function answeredHere(
  handler: OwnHandler,
  { environment, backend }: Forwarding,
  { upgraded, token, signal }: Asking,
): Promise<UpstreamAnswer> {
  const claims = token && identityClaims(environment, token, backend.audience);
  const { status, body = null } = await handler({ request: upgraded, claims, signal });
  const bytes = body === null ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
  return { status, headers: { 'content-type': 'application/json' }, body: bytes };
}

async function askUpstream(forwarding: Forwarding, asking: Asking): Promise<UpstreamAnswer> {
  const { head, environment, backend } = forwarding;
  const { request, own, upgraded, token, signal } = asking;
  const { requestId, version: callerVersion } = requestContext(request.raw);
  return backend.upstream.call(
    {
      method: head.method,
      path: pathOf(head.path, upgraded.params),
      query: queryOf(upgraded.query),
      headers: forwardedHeaders({
        identityToken: token && (await backend.identityOf(environment, token)),
        version: backend.version,
        callerVersion,
        requestId,
        callerHeaders: request.headers,
        declared: Object.keys(own.headers),
      }),
      body: bodyOf(forwarding, own, upgraded),
      wantsStream: false,
    },
    signal,
  );
}

function pathOf(pattern: string, params: Readonly<Record<string, string>>): string {
  return pattern.replaceAll(/\{([^}]+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''));
}

function queryOf(query: Json): string {
  const pairs: [string, string][] = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, String(one)]),
  );
  return new URLSearchParams(pairs).toString();
}

/** The bytes that came in, unless a change has made another body of them. */
function bodyOf(
  { compiled, head }: Forwarding,
  { sent }: OwnRequest,
  { body }: UpgradableRequest,
): Buffer | null {
  if (head.body === null) return null;
  if (compiled.upgradeRequest && (sent === null || sent.isMain)) {
    return sent === null && Object.keys(body).length === 0 ? null : Buffer.from(JSON.stringify(body));
  }
  return sent?.bytes ?? null;
}

function send(reply: FastifyReply, { status, mediaType, body }: SentAnswer): FastifyReply {
  if (mediaType === null) reply.removeHeader('content-type');
  return reply.status(status).send(body ?? undefined);
}

const usualHeaders = answeredHeadersOf([]);

function sendError(forwarding: Forwarding, reply: FastifyReply, answer: UpstreamAnswer): FastifyReply {
  if ('stream' in answer) answer.stream.destroy();
  const body = 'stream' in answer ? undefined : jsonIn(answer.body);
  const facts = ownError(errorFactsOf(answer.status, body), forwarding);
  requestContext(reply.request.raw).error = facts.code;
  const { 'retry-after': retryAfter } = usualHeaders(answer.headers);
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  const written = errorResponse({ ...facts, headers, members: {} }, forwarding.errorShape);
  return reply.status(written.status).headers(written.headers).send(written.body);
}
