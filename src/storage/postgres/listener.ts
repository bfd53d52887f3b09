import type { Client } from 'pg';
import { channelName } from '../session.ts';
import { fromDriver } from '../storage-error.ts';
import { leadsToPooler } from './settings.ts';

interface ListenerOptions {
  schema: string;
  connect(): Client;
  onError(error: Error): void;
}

interface Connection {
  client: Client;
  /** Resolved once it listens on all channels with a listener; false behind a pooler, where nothing would be heard. */
  listening: Promise<boolean>;
}

type OnNotification = (payload: string) => void;

export interface PostgresListener {
  listen(channel: string, onNotification: OnNotification): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const RECONNECT_MS = 1_000;

/**
 * One connection that waits for notifications, opened for the first listener. It reconnects by itself; notifications
 * sent meanwhile are lost, so no caller may rely on them alone. Behind a pooler there are none.
 */
export function createPostgresListener({ schema, connect, onError }: ListenerOptions): PostgresListener {
  const callbacks = new Map<string, Set<OnNotification>>();
  let inUse: Connection | null = null;
  let reconnect: NodeJS.Timeout | null = null;
  let closed = false;

  function open(): Connection {
    const client = connect();
    client.on('notification', ({ channel, payload = '' }) => {
      for (const onNotification of callbacks.get(channel) ?? []) onNotification(payload);
    });
    const connection = { client, listening: beginToListen(client) };
    const lost = (error: Error): void => drop(connection, error);
    client.on('error', lost);
    connection.listening.catch(lost);
    return connection;
  }

  async function beginToListen(client: Client): Promise<boolean> {
    await client.connect();
    if (await leadsToPooler(client)) return false;
    for (const channel of callbacks.keys()) await client.query(`listen "${channel}"`);
    return true;
  }

  /** A connection can report its end more than once, and after it was replaced. */
  function drop(connection: Connection, error: Error): void {
    if (connection !== inUse) return;
    inUse = null;
    void connection.client.end().catch(() => {});
    if (closed) return;
    onError(error);
    reconnect ??= setTimeout(() => {
      reconnect = null;
      // A new listener may have opened a connection already.
      if (!closed) inUse ??= open();
    }, RECONNECT_MS);
  }

  return {
    async listen(channel, onNotification) {
      const name = channelName(schema, channel);
      const listeners = callbacks.get(name) ?? new Set();
      listeners.add(onNotification);
      callbacks.set(name, listeners);
      inUse ??= open();
      const { client, listening } = inUse;
      try {
        if (await listening) await client.query(`listen "${name}"`);
      } catch (error) {
        listeners.delete(onNotification);
        throw fromDriver(error);
      }
      return async () => {
        listeners.delete(onNotification);
      };
    },
    async close() {
      closed = true;
      if (reconnect) clearTimeout(reconnect);
      const connection = inUse;
      await connection?.listening.then(() => connection.client.end()).catch(() => {});
    },
  };
}
