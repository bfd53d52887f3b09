import type { AnswerHead, AnswerHeaders } from '../outbound/exchange.ts';
import { type AnswerStream, createAnswerStream } from './answer-stream.ts';
import type { CallLimit } from './call-limit.ts';
import type { ReadGate } from './read-gate.ts';
import type { UpstreamAnswer, UpstreamRequest } from './types.ts';

/** Gathers an answer, or hands it over as a stream. */
export interface AnswerReader {
  /** Returns what is wrong with it; null if nothing is. */
  begin(head: AnswerHead): string | null;
  take(chunk: Buffer): void;
  end(): void;
  fail(error: Error): void;
}

export interface AnswerReaderOptions {
  request: Pick<UpstreamRequest, 'method' | 'wantsStream'>;
  answerBytesMax: number;
  gate: ReadGate;
  limit: CallLimit;
  onAnswer(answer: UpstreamAnswer): void;
  /** Whoever reads the stream wants no more. */
  abandon(): void;
}

type Reading = { is: 'waiting' } | Gathering | { is: 'streaming'; stream: AnswerStream };

interface Gathering {
  is: 'gathering';
  head: AnswerHead;
  chunks: Buffer[];
  bytes: number;
}

export function createAnswerReader(options: AnswerReaderOptions): AnswerReader {
  const { request, answerBytesMax, onAnswer } = options;
  let reading: Reading = { is: 'waiting' };

  function startStream(head: AnswerHead, chunks: readonly Buffer[]): void {
    const stream = createAnswerStream(options);
    reading = { is: 'streaming', stream };
    for (const chunk of chunks) stream.take(chunk);
    onAnswer({ status: head.status, headers: head.headers, stream: stream.readable });
  }

  return {
    begin(head) {
      const problem = codingProblem(head.headers);
      if (problem !== null) return problem;
      if (isStreamed(request, head, answerBytesMax)) startStream(head, []);
      else reading = { is: 'gathering', head, chunks: [], bytes: 0 };
      return null;
    },
    take(chunk) {
      if (reading.is === 'streaming') return reading.stream.take(chunk);
      if (reading.is === 'waiting') return;
      reading.chunks.push(chunk);
      reading.bytes += chunk.length;
      if (reading.bytes > answerBytesMax) startStream(reading.head, reading.chunks);
    },
    end() {
      if (reading.is === 'streaming') reading.stream.end();
      if (reading.is === 'gathering') onAnswer(gathered(reading));
    },
    fail(error) {
      if (reading.is === 'streaming') reading.stream.fail(error);
    },
  };
}

function gathered({ head: { status, headers }, chunks }: Gathering): UpstreamAnswer {
  const [first] = chunks;
  // Most answers come in one piece, which nobody else holds.
  return { status, headers, body: first && chunks.length === 1 ? first : Buffer.concat(chunks) };
}

/** A HEAD has no body, whatever length it names. */
function isStreamed(
  { method, wantsStream }: AnswerReaderOptions['request'],
  head: AnswerHead,
  answerBytesMax: number,
): boolean {
  if (method === 'HEAD') return false;
  const isWanted = typeof wantsStream === 'boolean' ? wantsStream : wantsStream(head);
  return isWanted || Number(head.headers['content-length'] ?? 0) > answerBytesMax;
}

/** We ask for none: what is compressed all the same can neither be checked nor translated. */
function codingProblem(headers: AnswerHeaders): string | null {
  const coding = headers['content-encoding'] ?? 'identity';
  return coding === 'identity' ? null : 'a content coding that was not asked for';
}
