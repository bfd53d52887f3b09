import type { Connection } from './connection.ts';

/** Connections that are waiting for the next delivery to the same receiver. */
export interface KeptConnections {
  /** One to this origin that leads to one of these addresses: where the name led earlier does not count. */
  take(origin: string, addresses: readonly string[]): Connection | null;
  keep(connection: Connection): void;
  close(): void;
}

export function createKeptConnections(connectionsMax: number): KeptConnections {
  let kept: Connection[] = [];
  return {
    take(origin, addresses) {
      kept = kept.filter(({ socket }) => !socket.destroyed);
      // The last one that was used is the least likely to be closed by the other side just now.
      const index = kept.findLastIndex(
        (connection) => connection.origin === origin && addresses.includes(connection.address),
      );
      return index < 0 ? null : (kept.splice(index, 1)[0] ?? null);
    },
    keep(connection) {
      kept.push(connection);
      if (kept.length > connectionsMax) kept.shift()?.socket.destroy();
    },
    close() {
      for (const { socket } of kept) socket.destroy();
      kept = [];
    },
  };
}
