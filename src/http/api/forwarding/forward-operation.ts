import type { CompiledOperation, ErrorFacts, UpgradableRequest } from '@dateline/versions';
import type { FastifyReply } from 'fastify';
import { type ErrorShape, errorResponse } from '../../../errors/error-body.ts';
import type { TokenVerifier } from '../../../oauth/tokens/verify-token.ts';
import { answeredHeadersOf } from '../../../upstream/answered-headers.ts';
import { forwardedHeadersOf } from '../../../upstream/forwarded-headers.ts';
import type { UpstreamAnswer } from '../../../upstream/types.ts';
import { requestContext } from '../../edge/request-context.ts';
import { authenticateForwarded, type TokenNeeds, tokenNeeds } from '../authenticate-token.ts';
import type { FolderErrorWriter } from '../folder-errors.ts';
import type { ApiRequest } from '../read-request.ts';
import { askBackend, type BackendOperation } from './ask-backend.ts';
import {
  type AnswerReader,
  createAnswerReader,
  createHeaderTranslation,
  type SentAnswer,
} from './forwarded-answers.ts';
import {
  asKnown,
  createErrorReader,
  downgradedError,
  type ErrorReader,
  errorFactsOf,
} from './forwarded-errors.ts';
import { headersBesideOurs } from './headers-beside-ours.ts';
import { declaredHeaders, impliedRequestHeaders } from './implied-headers.ts';
import { jsonIn } from './json-in.ts';
import { createWriteOnlyRemoval } from './marked-members.ts';
import { createForwardedReader, type ForwardedRequest } from './read-forwarded-request.ts';
import { sendStream, streamRuleOf } from './streamed-answers.ts';
import { createPathWriter } from './target-path.ts';
import type { Targets } from './targets.ts';
import { createUnknownCheck } from './unknown-parts.ts';
import { createUpgrade, type UpstreamAsk } from './upgrade-request.ts';
import { endUpload, timeAfterUpload, uploadIn } from './upload.ts';

export interface ForwardingParts extends Pick<BackendOperation, 'compiled' | 'environment' | 'backend'> {
  /** The operation that does the work: one of Next, or one that is kept as it was. */
  head: CompiledOperation;
  /** All operations that the upstream answers. */
  targets: Targets;
  verifyToken: TokenVerifier;
  errorShape: ErrorShape;
  /** Comes first: the API's own form of errors. */
  writeError: FolderErrorWriter;
  /** Refuses an answer outside of the contract. */
  isStrict: boolean;
}

/** Forwards one operation of one version: made once, with its route. */
export interface Forwarding extends Omit<ForwardingParts, 'head'>, BackendOperation {
  /** Null where no token counts. */
  needs: TokenNeeds | null;
  read(request: ApiRequest): Promise<ForwardedRequest>;
  upgrade(received: ForwardedRequest): Promise<UpstreamAsk>;
  /** Takes what is only ever written out of an answer of the upstream. */
  withoutWriteOnly(answer: UpstreamAnswer): UpstreamAnswer;
  /** The same with what a change has made of it. */
  withoutOwnWriteOnly<Sent>(status: number, mediaType: string | null, body: Sent): Sent | Buffer;
  readAnswer: AnswerReader;
  readError: ErrorReader;
  answeredHeaders(answer: UpstreamAnswer, asked: UpgradableRequest): Record<string, string>;
}

export function forwardingOf(parts: ForwardingParts): Forwarding {
  const { compiled, isStrict, backend } = parts;
  const head = parts.head.operation;
  const { operation } = compiled;
  const onViolation = (): void => backend.onViolation(head.id);
  const writeOnly = createWriteOnlyRemoval(head, onViolation);
  return {
    ...parts,
    head,
    needs: operation.security.scheme === 'bearer' ? tokenNeeds(operation, operation.security) : null,
    read: createForwardedReader(compiled, {
      readOnly: backend.readOnlyInRequests,
      checkUnknown: createUnknownCheck({
        compiled,
        refusesQuery: backend.unknownQuery === 'refuse',
        onUnknown: (unknown, { raw }) =>
          backend.onUnknown(compiled.operation.id, requestContext(raw).requestId, unknown),
      }),
    }),
    withoutWriteOnly: writeOnly.fromAnswer,
    withoutOwnWriteOnly: createWriteOnlyRemoval(compiled.operation, () => {}).fromBody,
    upgrade: createUpgrade({ compiled, head: parts.head, onViolation }),
    readAnswer: createAnswerReader({ compiled, head, isStrict, onViolation }),
    readError: createErrorReader({ compiled, head, isStrict, onViolation }),
    pathFor: createPathWriter(head, parts.targets),
    forwardedHeaders: forwardedHeadersOf(
      declaredHeaders(head),
      backend.wanted,
      impliedRequestHeaders(compiled),
    ),
    answeredHeaders: createHeaderTranslation({
      compiled,
      head,
      onViolation,
      ownAddress: backend.upstream.ownAddress,
    }),
    wantsStream: streamRuleOf(compiled, head, (...answer) => writeOnly.marksOf(...answer) !== null),
  };
}

/** An upload is forwarded while it comes in, and ends with the answer. */
export async function forwardOperation(
  forwarding: Forwarding,
  request: ApiRequest,
  reply: FastifyReply,
): Promise<SentAnswer['body'] | undefined> {
  const upload = uploadIn(request);
  if (upload === null) return forwardRequest(forwarding, request, reply);
  timeAfterUpload(request, upload);
  try {
    return await forwardRequest(forwarding, request, reply);
  } finally {
    endUpload(request, upload);
  }
}

/** Checks a request in the version of its caller, lets the upstream answer it in Next, and answers in the caller's version. */
async function forwardRequest(
  forwarding: Forwarding,
  request: ApiRequest,
  reply: FastifyReply,
): Promise<SentAnswer['body'] | undefined> {
  const { needs, verifyToken } = forwarding;
  const token =
    needs && asksForToken(forwarding, request)
      ? await authenticateForwarded(request, verifyToken, needs)
      : null;
  const received = await forwarding.read(request);
  const ask = await forwarding.upgrade(received);
  const answered = await askBackend(forwarding, { request, ask, token, response: reply.raw });
  const answer = forwarding.withoutWriteOnly(answered);
  const sent = readOrEnd(forwarding, answer, received.asked);
  if (sent === null) return sendError(forwarding, reply, answer);
  // Only now: what is refused passes none of its headers on.
  reply.headers(headersBesideOurs(reply, sent.headers, { dependsOnToken: needs !== null }));
  if (answer.status >= 400) noteForwardedError(forwarding, reply, answer);
  if ('stream' in answer) return sendStream(reply.status(sent.status), answer);
  return isHead(forwarding) ? sendHead(reply, sent, answer) : send(reply, sent);
}

/** The upstream was asked for a head alone. Elsewhere the framework makes one of the whole answer. */
function isHead({ head }: Forwarding): boolean {
  return head.method === 'HEAD';
}

function sendHead(reply: FastifyReply, { status }: SentAnswer, { headers }: UpstreamAnswer): undefined {
  if (headers['content-length'] !== undefined) reply.header('content-length', headers['content-length']);
  reply.status(status);
}

/** Where a token may be left out, one that is sent counts all the same. */
function asksForToken({ compiled }: Forwarding, { headers }: ApiRequest): boolean {
  const { security } = compiled.operation;
  return !(security.scheme === 'bearer' && security.optional) || headers.authorization !== undefined;
}

/** Null for an error that is told in our own form. A stream that is refused is ended: nobody else would read it. */
function readOrEnd(
  { readAnswer, readError, withoutOwnWriteOnly, answeredHeaders }: Forwarding,
  answer: UpstreamAnswer,
  asked: UpgradableRequest,
): (SentAnswer & { headers: Record<string, string> }) | null {
  try {
    const sent = (answer.status >= 400 ? readError : readAnswer)(answer, asked);
    if (sent === null) return null;
    const { status, mediaType } = sent;
    const body = withoutOwnWriteOnly(status, mediaType, sent.body);
    return { status, mediaType, body, headers: answeredHeaders(answer, asked) };
  } catch (error) {
    if ('stream' in answer) answer.stream.destroy();
    throw error;
  }
}

/** Returns the body: a reply is thenable, and the framework would wait for it. */
function send(reply: FastifyReply, { status, mediaType, body }: SentAnswer): SentAnswer['body'] | undefined {
  if (mediaType === null) reply.removeHeader('content-type');
  else if (mediaType !== typeIn(reply)) reply.type(mediaType);
  reply.status(status);
  return body ?? undefined;
}

/** As the upstream has given it; a change may have made another of it. */
function typeIn(reply: FastifyReply): string {
  const [type = ''] = String(reply.getHeader('content-type') ?? '').split(';', 1);
  return type.trim().toLowerCase();
}

/** Returns its facts in Next, and has their code in the log line of the request. */
function noteForwardedError(
  { head }: Forwarding,
  { request }: FastifyReply,
  answer: UpstreamAnswer,
): ErrorFacts {
  const body = 'stream' in answer ? undefined : jsonIn(answer.body);
  const facts = asKnown(errorFactsOf(answer.status, body), head);
  requestContext(request.raw).error = facts.code;
  return facts;
}

const usualHeaders = answeredHeadersOf([]);

function sendError(forwarding: Forwarding, reply: FastifyReply, answer: UpstreamAnswer): string {
  if ('stream' in answer) answer.stream.destroy();
  const { compiled, errorShape, writeError } = forwarding;
  const facts = noteForwardedError(forwarding, reply, answer);
  const { 'retry-after': retryAfter } = usualHeaders(answer.headers);
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  const more = { headers, members: {} };
  const written =
    writeError({ ...facts, ...more }, reply.request.raw, compiled.operation.id) ??
    errorResponse({ ...downgradedError(facts, compiled), ...more }, errorShape);
  reply.status(written.status).headers(written.headers);
  return written.body;
}
