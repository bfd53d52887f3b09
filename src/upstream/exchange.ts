import { errorCode } from '../kernel/error-facts.ts';
import type { Connection } from '../outbound/connection.ts';
import { BrokenAnswer, startExchange } from '../outbound/exchange.ts';
import { createAnswerReader } from './answer-reader.ts';
import type { CallLimit } from './call-limit.ts';
import type { GatedConnection } from './connections.ts';
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
  giveBack(connection: GatedConnection): void;
}

/**
 * Sends a request on an open connection, and answers with what comes back. Null if the connection turned out to be
 * closed before anything was written.
 */
export function exchange(connection: GatedConnection, sending: Sending): Promise<UpstreamAnswer | null> {
  const { socket, gate } = connection;
  const { request, target, origin, answerBytesMax, limit, giveBack } = sending;
  const { method, headers, body } = request;
  return new Promise((resolve, reject) => {
    const bytesBefore = socket.bytesRead;
    const reader = createAnswerReader({
      request,
      answerBytesMax,
      gate,
      limit,
      onAnswer: resolve,
      abandon: () => abandon(new Error('whoever read the stream has ended it')),
    });

    function fail(error: Error): void {
      const failure = error instanceof BrokenAnswer ? broken(error) : error;
      reader.fail(failure);
      // No effect where the answer was handed over already.
      reject(failure);
    }

    function broken({ message, cause }: BrokenAnswer): UpstreamError {
      const kind = socket.bytesRead > bytesBefore ? 'broken' : 'closed';
      const why = cause === undefined ? message : causeOf(cause);
      return new UpstreamError(kind, { internal: `${origin}: ${why}`, cause });
    }

    const abandon = startExchange(connection, { method, target, headers, body }, limit.cut, {
      begin: reader.begin,
      take: reader.take,
      end() {
        const problem = endProblem(connection);
        if (problem !== null) return fail(new BrokenAnswer(problem));
        gate.open();
        giveBack(connection);
        reader.end();
      },
      fail,
      unsent: () => resolve(null),
    });
  });
}

/** Problems that the library passes over: bytes behind the answer, and a reset where the end of the connection ends it. */
function endProblem({ socket }: Connection): string | null {
  const code = errorCode(socket.errored);
  if (code === 'UND_ERR_SOCKET') return 'more came than the answer';
  return code === 'ECONNRESET' ? 'ECONNRESET' : null;
}
