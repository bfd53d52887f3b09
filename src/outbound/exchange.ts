import { Readable } from 'node:stream';
import { errorCode } from '../kernel/error-facts.ts';
import type { Connection } from './connection.ts';
import type { Cut } from './cut.ts';

export interface OutboundRequest {
  method: string;
  /** Path and query, as they stand in the request line. */
  target: string;
  /** Besides those of HTTP itself. No content coding is accepted. */
  headers: Readonly<Record<string, string>>;
  /** Sent as it is, to the byte. A stream that breaks ends the exchange with its error. */
  body: Buffer | Readable | null;
}

/** By name in lower case; an array where a header came more than once. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface AnswerHead {
  status: number;
  headers: AnswerHeaders;
}

/** Receives an answer as it comes in. After `end`, `fail` or `unsent` nothing more is called. */
export interface AnswerReceiver {
  /** Returns what is wrong with the head, which breaks the exchange off; null if nothing is. No interim answer gets here. */
  begin(head: AnswerHead): string | null;
  take(chunk: Buffer): void;
  end(): void;
  /** Called with a `BrokenAnswer`, a reason of the cut or of `Abandon`, or an error of ours: the request cannot be sent at all. */
  fail(error: Error): void;
  /** The connection was closed before anything was written: then, and only then, the request may be sent on another one. */
  unsent(): void;
}

/** No whole answer that is valid HTTP came. The cause is the library's error, if there is one. */
export class BrokenAnswer extends Error {
  override readonly name = 'BrokenAnswer';
}

/** Ends an exchange before its time, and the connection with it. */
export type Abandon = (reason: Error) => void;

const INTERIM_ANSWERS_MAX = 8;

/** Sends a request once on an open connection, and reads the answer. Redirects are answers. */
export function startExchange(
  { client, socket }: Connection,
  { method, target, headers, body }: OutboundRequest,
  cut: Cut,
  receiver: AnswerReceiver,
): Abandon {
  let isSent = false;
  let isOver = false;
  let interimAnswers = 0;

  /** Returns false if it was over before. */
  function finish(): boolean {
    if (isOver) return false;
    isOver = true;
    cut.ignore();
    return true;
  }

  function abandon(reason: Error): void {
    if (!finish()) return;
    // With an error: without one, the library takes the end of a connection for the end of an answer.
    socket.destroy(reason);
    receiver.fail(reason);
  }

  function headProblem(head: AnswerHead): string | null {
    if (head.status >= 200) return receiver.begin(head);
    interimAnswers += 1;
    return interimAnswers > INTERIM_ANSWERS_MAX ? 'too many interim answers' : null;
  }

  function end(): void {
    if (finish()) receiver.end();
  }

  cut.listen(abandon);
  if (isOver) return abandon;
  client.dispatch(
    { method, path: target, headers: pairsOf(headers), body },
    {
      onRequestStart() {
        isSent = true;
      },
      onResponseStart(_controller, status, headers) {
        const problem = headProblem({ status, headers });
        if (problem !== null) abandon(new BrokenAnswer(problem));
      },
      onResponseData: (_controller, chunk) => receiver.take(chunk),
      // Only after what the parser finds behind the answer, in the same read.
      onResponseEnd: () => queueMicrotask(end),
      onResponseError(_controller, error) {
        if (errorCode(error) === 'UND_ERR_INVALID_ARG' || isOfBody(error, body)) abandon(error);
        else if (isSent) abandon(new BrokenAnswer('no whole answer', { cause: error }));
        else if (finish()) receiver.unsent();
      },
    },
  );
  return abandon;
}

function isOfBody(error: Error, body: OutboundRequest['body']): boolean {
  return body instanceof Readable && body.errored === error;
}

/** Names and values in turn, which the library takes as they are. */
function pairsOf(headers: OutboundRequest['headers']): string[] {
  const pairs = ['accept-encoding', 'identity'];
  for (const name in headers) if (name !== 'accept-encoding') pairs.push(name, headers[name] ?? '');
  return pairs;
}
