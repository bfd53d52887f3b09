import type { Readable } from 'node:stream';
import type { AnswerHead } from '../outbound/exchange.ts';

export interface UpstreamRequest {
  /** By its id in Next; the circuit counts by it. */
  operation: string;
  /** The holder of its slot, by any name that tells clients apart. */
  client: string;
  method: string;
  /** Below the base address, percent-encoded, beginning with a slash. */
  path: string;
  /** Percent-encoded, without its question mark; empty if there is none. */
  query: string;
  /** Sent besides the headers of HTTP itself; see `forwardedHeaders`. */
  headers: Readonly<Record<string, string>>;
  /** A stream is sent as it comes; its error ends the call, and is what that fails with. */
  body: Buffer | Readable | null;
  /** True: the body is handed over as it comes in. A function decides once status and headers are there. */
  wantsStream: boolean | ((head: AnswerHead) => boolean);
}

export interface BufferedAnswer extends AnswerHead {
  body: Buffer;
}

/** The caller reads the stream to its end, or destroys it. What breaks it afterwards is its error, an `ApiError`. */
export interface StreamedAnswer extends AnswerHead {
  stream: Readable;
}

export type UpstreamAnswer = BufferedAnswer | StreamedAnswer;

/** Says when a caller has gone. Any `AbortSignal` is one; to make one for each call would cost as much as to send it. */
export interface CallerSignal {
  readonly aborted: boolean;
  readonly reason: Error;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
