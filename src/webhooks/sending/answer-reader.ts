import { toUSVString } from 'node:util';
import type { Dispatcher } from 'undici';
import type { Answer, AnswerHeaders, ErrorClass } from './outcome.ts';

type Callbacks = Required<
  Pick<Dispatcher.DispatchHandler, 'onResponseStart' | 'onResponseData' | 'onResponseEnd'>
>;

/** What the HTTP library calls while an answer comes in. It never pauses: it reads, or it cuts the connection. */
export interface AnswerReader extends Callbacks {
  /** What has come until now, if this is why no more will. */
  soFar(error: ErrorClass | null): Answer;
}

const INTERIM_ANSWERS_MAX = 8;
const RETRY_AFTER_LENGTH_MAX = 64;

export interface AnswerReaderOptions {
  answerBytesMax: number;
  /** The head of the answer is there. */
  onHead(): void;
  end(answer: Answer): void;
}

export function createAnswerReader({ answerBytesMax, onHead, end }: AnswerReaderOptions): AnswerReader {
  const text = createAnswerText();
  let status: number | null = null;
  let retryAfter: string | null = null;
  let answerHeaders: AnswerHeaders | null = null;
  let interimAnswers = 0;
  let bytesRead = 0;

  const soFar = (error: ErrorClass | null): Answer => ({
    status,
    answerText: status === null ? null : text.read(),
    retryAfter,
    answerHeaders,
    error,
  });

  function cutOff(controller: Dispatcher.DispatchController, error: ErrorClass | null): void {
    end(soFar(error));
    controller.abort(new Error('enough was read'));
  }

  return {
    soFar,
    onResponseStart(controller, code, headers) {
      if (code >= 200) {
        status = code;
        retryAfter = firstOf(headers['retry-after']);
        answerHeaders = keptHeaders(headers);
        return onHead();
      }
      interimAnswers += 1;
      if (interimAnswers > INTERIM_ANSWERS_MAX) cutOff(controller, 'bad_answer');
    },
    onResponseData(controller, chunk) {
      text.add(chunk);
      bytesRead += chunk.length;
      if (bytesRead >= answerBytesMax) cutOff(controller, statusError(status));
    },
    onResponseEnd: () => end(soFar(statusError(status))),
  };
}

function statusError(status: number | null): ErrorClass | null {
  if (status === null) return 'bad_answer';
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

function firstOf(header: string | string[] | undefined): string | null {
  const value = Array.isArray(header) ? header[0] : header;
  return value?.slice(0, RETRY_AFTER_LENGTH_MAX) ?? null;
}

const HEADERS_LENGTH_MAX = 4_096;

/** Text that any database takes, and no more of it than somebody will read. */
function keptHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): AnswerHeaders {
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
