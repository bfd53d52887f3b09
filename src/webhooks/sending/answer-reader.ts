import { toUSVString } from 'node:util';
import type { AnswerHead } from '../../outbound/exchange.ts';
import type { Answer, AnswerHeaders, ErrorClass } from './outcome.ts';

/** Keeps the beginning of an answer. It never pauses: it reads, or it has enough. */
export interface AnswerReader {
  begin(head: AnswerHead): void;
  /** Returns true when enough was read. */
  take(chunk: Buffer): boolean;
  /** The answer as far as it has come, if this is why no more will. */
  soFar(error: ErrorClass | null): Answer;
  /** The answer when it has come, or enough of it. */
  whole(): Answer;
}

const RETRY_AFTER_LENGTH_MAX = 64;

export function createAnswerReader(answerBytesMax: number): AnswerReader {
  const text = createAnswerText();
  let status: number | null = null;
  let retryAfter: string | null = null;
  let answerHeaders: AnswerHeaders | null = null;
  let bytesRead = 0;

  const soFar = (error: ErrorClass | null): Answer => ({
    status,
    answerText: status === null ? null : text.read(),
    retryAfter,
    answerHeaders,
    error,
  });

  return {
    begin(head) {
      status = head.status;
      retryAfter = firstOf(head.headers['retry-after']);
      answerHeaders = keptHeaders(head.headers);
    },
    take(chunk) {
      text.add(chunk);
      bytesRead += chunk.length;
      return bytesRead >= answerBytesMax;
    },
    soFar,
    whole: () => soFar(statusError(status)),
  };
}

function statusError(status: number | null): ErrorClass | null {
  if (status === null) return 'bad_answer';
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

function firstOf(header: AnswerHead['headers'][string]): string | null {
  const value = typeof header === 'object' ? header[0] : header;
  return value?.slice(0, RETRY_AFTER_LENGTH_MAX) ?? null;
}

const HEADERS_LENGTH_MAX = 4_096;

/** Text that any database takes, and no more of it than somebody will read. */
function keptHeaders(headers: AnswerHead['headers']): AnswerHeaders {
  const kept: Record<string, string> = {};
  let length = 0;
  for (const name in headers) {
    const values = headers[name] ?? '';
    const value = storable(typeof values === 'string' ? values : values.join(', '));
    length += name.length + value.length;
    if (length > HEADERS_LENGTH_MAX) break;
    kept[name] = value;
  }
  return kept;
}

/** Neither half a character nor NUL. */
function storable(text: string): string {
  const whole = toUSVString(text);
  return whole.includes('\u0000') ? whole.replaceAll('\u0000', '\uFFFD') : whole;
}

const KEPT_BYTES_MAX = 1_024;

/** The beginning of an answer, which integrators may look at later. */
interface AnswerText {
  add(chunk: Buffer): void;
  /** Text that any database takes: neither NUL nor half a character. */
  read(): string;
}

function createAnswerText(): AnswerText {
  let beginning = Buffer.alloc(0);
  let isCut = false;
  return {
    add(chunk) {
      const wanted = chunk.subarray(0, KEPT_BYTES_MAX - beginning.length);
      isCut ||= wanted.length < chunk.length;
      // A copy: a slice would hold on to the whole of what was received.
      if (wanted.length > 0) beginning = Buffer.concat([beginning, wanted]);
    },
    read() {
      // A character that we have cut ourselves is left out; what came broken shows as U+FFFD.
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(beginning, { stream: isCut });
      return text.replaceAll('\u0000', '\uFFFD');
    },
  };
}
