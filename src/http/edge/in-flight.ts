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
  all(): Iterable<Exchange>;
}

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

interface Connection {
  /** Seldom more than one: a client would have to send the next before it has the answer. */
  readonly open: Exchange[];
  latest: Exchange | null;
  readonly waiting: (() => void)[];
}

const CONNECTION = Symbol('connection');

type Known = Duplex & { [CONNECTION]?: Connection };

/** Calls `onEnd` once for each request, when its response has been sent or can no longer be. */
export function createInFlight(
  onEnd: (request: IncomingMessage, response: ServerResponse) => void,
): InFlight {
  const connections = new Set<Connection>();
  const waiting: (() => void)[] = [];
  let count = 0;
  let afterEach: (() => void) | undefined;

  function connectionOf(socket: Known): Connection {
    return socket[CONNECTION] ?? meet(socket);
  }

  function meet(socket: Known): Connection {
    const connection: Connection = { open: [], latest: null, waiting: [] };
    socket[CONNECTION] = connection;
    connections.add(connection);
    // A response queued behind another one on its connection has no socket yet, and emits no close event.
    socket.once('close', () => {
      for (const { response } of [...connection.open]) end(connection, response);
      connections.delete(connection);
    });
    return connection;
  }

  function end(connection: Connection, response: ServerResponse): void {
    const index = connection.open.findIndex((exchange) => exchange.response === response);
    const [ended] = index < 0 ? [] : connection.open.splice(index, 1);
    if (!ended) return;
    count -= 1;
    onEnd(ended.request, response);
    if (connection.open.length === 0) wake(connection.waiting);
    if (count === 0) wake(waiting);
    afterEach?.();
  }

  /** One for all responses: a function for each would have to be made at each request. */
  function onClose(this: ServerResponse): void {
    end(connectionOf(this.req.socket), this);
  }

  return {
    begin(request, response) {
      const connection = connectionOf(request.socket);
      connection.latest = { request, response };
      connection.open.push(connection.latest);
      count += 1;
      // It comes once: `once` would only wrap what it calls.
      response.on('close', onClose);
    },
    afterEach(call) {
      afterEach = call;
    },
    none(socket) {
      const { open, waiting: waits } = socket ? connectionOf(socket) : { open: { length: count }, waiting };
      return open.length === 0 ? Promise.resolve() : new Promise((resolve) => waits.push(resolve));
    },
    arriving(socket) {
      const { latest } = connectionOf(socket);
      return latest?.request.complete === false ? latest : null;
    },
    *all() {
      for (const { open } of connections) yield* open;
    },
  };
}

function wake(waiting: (() => void)[]): void {
  for (const go of waiting.splice(0)) go();
}
