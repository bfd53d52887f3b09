import { errorCode } from '../../kernel/error-facts.ts';
import type { Connection } from '../../outbound/connection.ts';
import type { Cut } from '../../outbound/cut.ts';
import { BrokenAnswer, startExchange } from '../../outbound/exchange.ts';
import { createAnswerReader } from './answer-reader.ts';
import { type Answer, type ErrorClass, errorClassOf, SendingError } from './outcome.ts';
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
export function exchange(
  connection: Connection,
  { delivery: { headers, body }, url, answerBytesMax, watch, cut }: ExchangeOptions,
): Promise<Answer | null> {
  const request = { method: 'POST', target: `${url.pathname}${url.search}`, headers, body };
  return new Promise((resolve, reject) => {
    const reader = createAnswerReader(answerBytesMax);
    const abandon = startExchange(connection, request, cut, {
      begin(head) {
        reader.begin(head);
        watch.end('wait');
        return null;
      },
      take(chunk) {
        if (!reader.take(chunk)) return;
        resolve(reader.whole());
        abandon(new Error('enough was read'));
      },
      end: () => resolve(reader.whole()),
      fail(error) {
        if (error instanceof BrokenAnswer) resolve(reader.soFar(brokenClass(error, connection)));
        else if (error instanceof SendingError) resolve(reader.soFar(error.errorClass));
        // The fault is ours, and no attempt was made.
        else reject(error);
      },
      unsent: () => resolve(null),
    });
  });
}

function brokenClass({ cause }: BrokenAnswer, { socket }: Connection): ErrorClass {
  // The library has one error for an answer that broke off and for one without a request.
  if (errorCode(cause) === 'UND_ERR_SOCKET' && socket.readableEnded) return 'connection_reset';
  return errorClassOf(cause, 'bad_answer');
}
