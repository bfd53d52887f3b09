import { Readable } from 'node:stream';
import type { CallLimit } from './call-limit.ts';
import type { ReadGate } from './read-gate.ts';

/** The body of an answer on its way to whoever reads it: no more is read from the socket than is asked for. */
export interface AnswerStream {
  readonly readable: Readable;
  take(chunk: Buffer): void;
  end(): void;
  fail(error: Error): void;
}

export interface AnswerStreamOptions {
  gate: ReadGate;
  limit: CallLimit;
  /** Whoever reads it wants no more. */
  abandon(): void;
}

const READ_AHEAD_BYTES = 65_536;

export function createAnswerStream({ gate, limit, abandon }: AnswerStreamOptions): AnswerStream {
  let isWhole = false;
  const readable = new Readable({
    highWaterMark: READ_AHEAD_BYTES,
    // In a microtask: the parser of HTTP must not be entered from inside of one of its callbacks.
    read: () => queueMicrotask(goOn),
    destroy(error, done) {
      if (!isWhole) abandon();
      done(error);
    },
  });

  function goOn(): void {
    if (isWhole || readable.destroyed) return;
    limit.listen();
    gate.open();
  }

  return {
    readable,
    take(chunk) {
      // It asks again when there is room.
      if (readable.push(chunk)) return;
      gate.shut();
      limit.rest();
    },
    end() {
      isWhole = true;
      readable.push(null);
    },
    fail: (error) => void readable.destroy(error),
  };
}
