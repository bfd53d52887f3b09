import type { Dispatcher } from 'undici';
import { errorCode } from '../kernel/error-facts.ts';
import { createAnswerReader } from './answer-reader.ts';
import type { CallLimit } from './call-limit.ts';
import type { Connection } from './connections.ts';
import type { UpstreamAnswer, UpstreamRequest } from './types.ts';
import { causeOf, UpstreamError } from './upstream-error.ts';

export interface Sending {
  request: UpstreamRequest;
  /** Path and query, as they stand in the request line. */
  target: string;
  /** For the log. */
  origin: string;
  answerBytesMax: number;
  limit: CallLimit;
  /** The whole answer has come, and the connection may serve another call. */
  giveBack(connection: Connection): void;
}

/**
 * Sends a request on an open connection, and answers with what comes back. Null if the connection turned out to be
 * closed before anything was written.
 */
export function exchange(connection: Connection, sending: Sending): Promise<UpstreamAnswer | null> {
  const { client, socket, gate } = connection;
  const { request, target, origin, answerBytesMax, limit, giveBack } = sending;
  return new Promise((resolve, reject) => {
    const bytesBefore = socket.bytesRead;
    let isSent = false;
    let isOver = false;
    const reader = createAnswerReader({
      request,
      answerBytesMax,
      gate,
      limit,
      onAnswer: resolve,
      abandon: () => fail(new Error('whoever read the stream has ended it')),
    });

    /** False if it was over before. */
    function finish(): boolean {
      if (isOver) return false;
      isOver = true;
      limit.cut.ignore();
      return true;
    }

    function fail(error: Error): void {
      if (!finish()) return;
      // With an error: without one, the library takes the end of a connection for the end of an answer.
      socket.destroy(error);
      reader.fail(error);
      // No effect where the answer was handed over already.
      reject(error);
    }

    function failure(cause: string, error?: unknown): UpstreamError {
      const kind = socket.bytesRead > bytesBefore ? 'broken' : 'closed';
      return new UpstreamError(kind, { internal: `${origin}: ${cause}`, cause: error });
    }

    function end(): void {
      const problem = endProblem(connection);
      if (problem !== null) return fail(failure(problem));
      if (!finish()) return;
      gate.open();
      giveBack(connection);
      reader.end();
    }

    // Whatever a caller leaves for, the call fails with it.
    limit.cut.listen((reason) => fail(reason as Error));
    if (isOver) return;
    client.dispatch(requestLine(request, target), {
      onRequestStart() {
        isSent = true;
      },
      onResponseStart(_controller, status, headers) {
        const problem = reader.begin({ status, headers });
        if (problem !== null) fail(failure(problem));
      },
      onResponseData: (_controller, chunk) => reader.take(chunk),
      // Only after what the parser finds behind the answer, in the same read.
      onResponseEnd: () => queueMicrotask(end),
      onResponseError(_controller, error) {
        if (errorCode(error) === 'UND_ERR_INVALID_ARG') fail(error);
        else if (isSent) fail(failure(causeOf(error), error));
        else if (finish()) resolve(null);
      },
    });
  });
}

function requestLine({ method, headers, body }: UpstreamRequest, target: string): Dispatcher.DispatchOptions {
  return {
    // The library types the usual ones only; it checks what it is given.
    method: method as Dispatcher.HttpMethod,
    path: target,
    headers: pairsOf(headers),
    body,
  };
}

/** Names and values in turn, which the library takes as they are. */
function pairsOf(headers: UpstreamRequest['headers']): string[] {
  const pairs = ['accept-encoding', 'identity'];
  for (const name in headers) if (name !== 'accept-encoding') pairs.push(name, headers[name] ?? '');
  return pairs;
}

/** What the library passes over: bytes behind the answer, and a reset where the end of the connection ends the answer. */
function endProblem({ socket }: Connection): string | null {
  const code = errorCode(socket.errored);
  if (code === 'UND_ERR_SOCKET') return 'more came than the answer';
  return code === 'ECONNRESET' ? 'ECONNRESET' : null;
}
