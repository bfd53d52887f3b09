import type { Dispatcher } from 'undici';
import type { Cut } from '../../kernel/cut.ts';
import { createAnswerReader } from './answer-reader.ts';
import type { Connection } from './connection.ts';
import { type Answer, codeOf, type ErrorClass, errorClassOf } from './outcome.ts';
import type { Stopwatch } from './stopwatch.ts';

export interface Delivery {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Sent as it is, to the byte. */
  body: Buffer;
  /** Not to this machine, whatever the sender's rules are. */
  publicOnly?: boolean;
}

export interface ExchangeOptions {
  delivery: Delivery;
  /** The delivery's, checked. */
  url: URL;
  answerBytesMax: number;
  watch: Stopwatch;
  cut: Cut;
}

/**
 * Sends a delivery on an open connection and reads the answer. Null if the connection turned out to be closed before
 * anything was written: then, and only then, the same attempt may use another one.
 */
export async function exchange(
  { client, socket }: Connection,
  { delivery, url, answerBytesMax, watch, cut }: ExchangeOptions,
): Promise<Answer | null> {
  return new Promise((resolve, reject) => {
    let wasWritten = false;
    const reader = createAnswerReader({ answerBytesMax, onHead: () => watch.end('wait'), end });

    function end(answer: Answer | null): void {
      cut.ignore();
      resolve(answer);
    }

    function stop(reason: unknown): void {
      end(reader.soFar(errorClassOf(reason, 'stopped')));
      socket.destroy(new Error('stopped'));
    }

    cut.listen(stop);
    if (cut.made()) return;
    client.dispatch(requestOf(delivery, url), {
      onRequestStart() {
        wasWritten = true;
      },
      onResponseStart: reader.onResponseStart,
      onResponseData: reader.onResponseData,
      onResponseEnd: reader.onResponseEnd,
      onResponseError(_controller, error) {
        // The fault is ours, and no attempt was made.
        if (codeOf(error) === 'UND_ERR_INVALID_ARG') reject(error);
        else end(wasWritten ? reader.soFar(answerError(error, socket.readableEnded)) : null);
      },
    });
  });
}

function requestOf({ headers, body }: Delivery, { pathname, search }: URL): Dispatcher.DispatchOptions {
  return {
    method: 'POST',
    path: `${pathname}${search}`,
    headers: pairsOf(headers),
    body,
  };
}

/** Names and values in turn, which the library takes as they are. */
function pairsOf(headers: Delivery['headers']): string[] {
  const pairs = ['accept-encoding', 'identity'];
  for (const name in headers) pairs.push(name, headers[name] ?? '');
  return pairs;
}

function answerError(error: Error, hasEnded: boolean): ErrorClass {
  // The library has one error for an answer that broke off and for one without a request.
  if (codeOf(error) === 'UND_ERR_SOCKET' && hasEnded) return 'connection_reset';
  return errorClassOf(error, 'bad_answer');
}
