import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Tracks the requests that have not ended yet, in total and per connection. */
export interface InFlight {
  begin(request: IncomingMessage, response: ServerResponse): void;
  /** Also calls this after each request that ends from now on. */
  afterEach(call: () => void): void;
  /** Resolves when no request is in flight, or none on this connection. */
  none(socket?: Duplex): Promise<void>;
  /** The request whose body is still arriving on this connection, answered or not. */
  arriving(socket: Duplex): Exchange | null;
}

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

interface Counter {
  count: number;
  waiting: (() => void)[];
}

/** Calls `onEnd` once for each request, when its response has been sent or can no longer be. */
export function createInFlight(
  onEnd: (request: IncomingMessage, response: ServerResponse) => void,
): InFlight {
  const all = createCounter();
  let afterEach: (() => void) | undefined;
  const bySocket = new WeakMap<Duplex, Counter & { ends: Set<() => void>; latest: Exchange | null }>();

  function onSocket(socket: Duplex) {
    const known = bySocket.get(socket);
    if (known) return known;
    const counter = { ...createCounter(), ends: new Set<() => void>(), latest: null };
    bySocket.set(socket, counter);
    // A response queued behind another one on its connection has no socket yet, and emits no close event.
    socket.once('close', () => {
      for (const end of [...counter.ends]) end();
    });
    return counter;
  }

  return {
    begin(request, response) {
      const own = onSocket(request.socket);
      const end = (): void => {
        if (!own.ends.delete(end)) return;
        onEnd(request, response);
        countDown(own);
        countDown(all);
        afterEach?.();
      };
      own.ends.add(end);
      own.latest = { request, response };
      own.count += 1;
      all.count += 1;
      // It comes once, and what it calls counts once: `once` would only wrap it.
      response.on('close', end);
    },
    afterEach(call) {
      afterEach = call;
    },
    none(socket) {
      const counter = socket ? onSocket(socket) : all;
      return counter.count === 0
        ? Promise.resolve()
        : new Promise((resolve) => counter.waiting.push(resolve));
    },
    arriving(socket) {
      const { latest } = onSocket(socket);
      return latest?.request.complete === false ? latest : null;
    },
  };
}

function createCounter(): Counter {
  return { count: 0, waiting: [] };
}

function countDown(counter: Counter): void {
  counter.count -= 1;
  if (counter.count > 0) return;
  for (const wake of counter.waiting.splice(0)) wake();
}
