import type { Operation, UpgradableRequest } from '@dateline/versions';
import type { FastifyReply } from 'fastify';
import { type ErrorShape, errorResponse } from '../../../errors/error-body.ts';
import type { TokenVerifier } from '../../../oauth/tokens/verify-token.ts';
import { answeredHeadersOf, type HeaderPicker } from '../../../upstream/answered-headers.ts';
import { forwardedHeadersOf } from '../../../upstream/forwarded-headers.ts';
import type { UpstreamAnswer } from '../../../upstream/types.ts';
import { requestContext } from '../../edge/request-context.ts';
import { authenticateToken, tokenNeeds } from '../authenticate-token.ts';
import type { ApiRequest } from '../read-request.ts';
import { askBackend, type BackendOperation } from './ask-backend.ts';
import { type AnswerReader, createAnswerReader, type SentAnswer } from './forwarded-answers.ts';
import { errorFactsOf, forwardedError } from './forwarded-errors.ts';
import { jsonIn } from './json-in.ts';
import { createForwardedReader, declaredHeaders, type ForwardedRequest } from './read-forwarded-request.ts';
import { sendStream, streamRuleOf } from './streamed-answers.ts';
import { createPathWriter } from './target-path.ts';

export interface ForwardingParts
  extends Pick<BackendOperation, 'compiled' | 'head' | 'environment' | 'backend'> {
  /** The operations of Next that the upstream answers. */
  headOperations: readonly Operation[];
  verifyToken: TokenVerifier;
  errorShape: ErrorShape;
  /** Refuses an answer outside of the contract. */
  isStrict: boolean;
}

/** Forwards one operation of one version: made once, with its route. */
export interface Forwarding extends ForwardingParts, BackendOperation {
  read(request: ApiRequest): Promise<ForwardedRequest>;
  readAnswer: AnswerReader;
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
    forwardedHeaders: forwardedHeadersOf(declaredHeaders(compiled.operation), backend.wanted),
    answeredHeaders: answeredHeadersOf(head.answerHeaders ?? []),
    wantsStream: streamRuleOf(compiled),
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
  return 'stream' in answer ? sendStream(reply.status(sent.status), answer) : send(reply, sent);
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

/** Returns the body: a reply is thenable, and the framework would wait for it. */
function send(reply: FastifyReply, { status, mediaType, body }: SentAnswer): SentAnswer['body'] | undefined {
  if (mediaType === null) reply.removeHeader('content-type');
  reply.status(status);
  return body ?? undefined;
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
