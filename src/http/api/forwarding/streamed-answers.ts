import { Readable } from 'node:stream';
import { type CompiledOperation, declaredBody, isJsonType, type Operation } from '@dateline/versions';
import type { FastifyReply } from 'fastify';
import type { StreamedAnswer, UpstreamAnswer } from '../../../upstream/types.ts';
import { requestContext } from '../../edge/request-context.ts';

type AnswerHead = Pick<UpstreamAnswer, 'status' | 'headers'>;

export type StreamRule = (head: AnswerHead) => boolean;

const EVENTS = 'text/event-stream';
const WITHOUT_BODY = new Set([204, 205]);

/**
 * Says which answers of an operation are handed over as they come, however short they are: events, and what says no length. JSON
 * is gathered, since it is checked, and so is what is looked into, and errors, redirections and what a change translates. So is what should have no body: many
 * servers say no length where nothing follows.
 */
export function streamRuleOf(
  { downgradeContent }: Pick<CompiledOperation, 'downgradeContent'>,
  head: Operation,
  isLookedInto: (status: number, mediaType: string) => boolean,
): StreamRule {
  if (downgradeContent) return () => false;
  return ({ status, headers }) => {
    if (status >= 300 || WITHOUT_BODY.has(status) || declaredBody(head, status) === null) return false;
    const mediaType = mediaTypeIn(headers);
    if (isJsonType(mediaType) || isLookedInto(status, mediaType)) return false;
    return mediaType === EVENTS || headers['content-length'] === undefined;
  };
}

/** In lower case, without parameters; empty where there is none. */
export function mediaTypeIn(headers: AnswerHead['headers']): string {
  const [type = ''] = String(headers['content-type'] ?? '').split(';', 1);
  return type.trim().toLowerCase();
}

/** Returns what the framework is to send: the stream, with the length that it has said it has. */
export function sendStream(reply: FastifyReply, { headers, stream }: StreamedAnswer): Readable {
  const { raw, method } = reply.request;
  // It may last: from now on only idling is limited.
  requestContext(raw).deadline = undefined;
  if (headers['content-length'] !== undefined) reply.header('content-length', headers['content-length']);
  if (method === 'HEAD') return withoutBody(stream);
  // Whoever waits for events wants to know that they will come. The framework waits for the first one.
  if (mediaTypeIn(headers) === EVENTS) stream.once('resume', () => reply.raw.flushHeaders());
  return stream;
}

function withoutBody(stream: Readable): Readable {
  stream.destroy();
  return Readable.from([]);
}
