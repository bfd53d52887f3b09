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
