import type { Connection } from './connection.ts';

/** Connections that are waiting for the next delivery to the same receiver. */
export interface KeptConnections {
  /** One to this origin that leads to one of these addresses: where the name led earlier does not count. */
  take(origin: string, addresses: readonly string[]): Connection | null;
  keep(connection: Connection): void;
  close(): void;
}

export function createKeptConnections(connectionsMax: number): KeptConnections {
  /** In the order in which they were used. */
  const kept = new Set<Connection>();
  const byOrigin = new Map<string, Connection[]>();

  function remove(connection: Connection): void {
    kept.delete(connection);
    const others = byOrigin.get(connection.origin)?.filter((other) => other !== connection) ?? [];
    if (others.length === 0) byOrigin.delete(connection.origin);
    else byOrigin.set(connection.origin, others);
  }

  return {
    take(origin, addresses) {
      const known = byOrigin.get(origin) ?? [];
      for (const gone of known.filter(({ socket }) => socket.destroyed)) remove(gone);
      // The last one that was used is the least likely to be closed by the other side just now.
      const found = known.findLast(({ socket, address }) => !socket.destroyed && addresses.includes(address));
      if (!found) return null;
      remove(found);
      return found;
    },
    keep(connection) {
      kept.add(connection);
      byOrigin.set(connection.origin, [...(byOrigin.get(connection.origin) ?? []), connection]);
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
