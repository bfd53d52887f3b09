import type { Connection } from './connection.ts';

/** Connections that wait for the next request to the same origin. */
export interface KeptConnections<Kept extends Connection> {
  /** The one that was used last, of those that are wanted: it is the least likely to be closed by the other side just now. */
  take(origin: string, isWanted?: (connection: Kept) => boolean): Kept | null;
  /** After a whole answer. Closes the oldest where there are too many. */
  keep(connection: Kept): void;
  close(): void;
}

export function createKeptConnections<Kept extends Connection>(
  connectionsMax: number,
): KeptConnections<Kept> {
  /** In the order in which they were used. */
  const kept = new Set<Kept>();
  const byOrigin = new Map<string, Kept[]>();

  function remove(connection: Kept): void {
    kept.delete(connection);
    const same = byOrigin.get(connection.origin) ?? [];
    same.splice(same.lastIndexOf(connection), 1);
    if (same.length === 0) byOrigin.delete(connection.origin);
  }

  return {
    take(origin, isWanted = () => true) {
      const known = byOrigin.get(origin) ?? [];
      for (;;) {
        const found = known.findLast((connection) => connection.socket.destroyed || isWanted(connection));
        if (!found) return null;
        remove(found);
        if (!found.socket.destroyed) return found;
      }
    },
    keep(connection) {
      if (!isUsable(connection)) return void connection.socket.destroy();
      kept.add(connection);
      const same = byOrigin.get(connection.origin);
      if (same) same.push(connection);
      else byOrigin.set(connection.origin, [connection]);
      const [oldest] = kept;
      if (kept.size <= connectionsMax || !oldest) return;
      remove(oldest);
      oldest.socket.destroy();
    },
    close() {
      for (const { socket } of kept) socket.destroy();
      kept.clear();
      byOrigin.clear();
    },
  };
}

/** A server may answer before it has read everything; what it has not read would stand before the next request. */
function isUsable({ socket }: Connection): boolean {
  return !socket.destroyed && socket.writableLength === 0;
}
