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
/** After so many it waits for its next turn. */
const TURN_BYTES = 65_536;

export function createAnswerStream({ gate, limit, abandon }: AnswerStreamOptions): AnswerStream {
  let isWhole = false;
  let isPausing = false;
  let bytesInTurn = 0;
  const readable = new Readable({
    highWaterMark: READ_AHEAD_BYTES,
    // In a microtask: the parser of HTTP must not be entered from inside of one of its callbacks.
    read: () => queueMicrotask(goOn),
    destroy(error, done) {
      if (!isWhole) abandon();
      done(error);
    },
  });

  const unread = (): number => readable.readableLength;

  function goOn(): void {
    if (isWhole || isPausing || readable.destroyed) return;
    limit.listen();
    gate.open();
  }

  function waitForTurn(): void {
    isPausing = true;
    gate.shut();
    whenItsTurn(() => {
      isPausing = false;
      bytesInTurn = 0;
      if (readable.readableLength < READ_AHEAD_BYTES) goOn();
    });
  }

  limit.rest(unread);
  return {
    readable,
    take(chunk) {
      const hasRoom = readable.push(chunk);
      if (readable.destroyed) return;
      bytesInTurn += chunk.length;
      if (bytesInTurn >= TURN_BYTES && !isPausing) waitForTurn();
      if (hasRoom) return;
      // It asks again when there is room.
      gate.shut();
      limit.rest(unread);
    },
    end() {
      isWhole = true;
      readable.push(null);
      // The connection is free, and serves others. Whoever leaves the rest unread holds a slot all the same.
      limit.cut.listen((reason) => readable.destroy(reason));
      limit.rest(unread);
    },
    fail: (error) => void readable.destroy(error),
  };
}

/** The number of streams that go on in one turn of the event loop, each by one read of its socket. */
const STREAMS_A_TURN = 4;

const waiting: (() => void)[] = [];

/**
 * Lets a stream go on when it is its turn. All streams of this process share its turns, so that many fast ones slow each other
 * down, and not the requests beside them.
 */
export function whenItsTurn(goOn: () => void): void {
  waiting.push(goOn);
  if (waiting.length === 1) setImmediate(takeTurn);
}

function takeTurn(): void {
  for (const goOn of waiting.splice(0, STREAMS_A_TURN)) goOn();
  if (waiting.length > 0) setImmediate(takeTurn);
}
