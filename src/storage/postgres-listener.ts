import type { Client } from 'pg';
import { channelName } from './session.ts';
import { fromDriver } from './storage-error.ts';

interface ListenerOptions {
  schema: string;
  connect(): Client;
  onTrouble(error: Error): void;
}

type OnNotification = (payload: string) => void;

export interface PostgresListener {
  listen(channel: string, onNotification: OnNotification): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const RECONNECT_MS = 1_000;

/**
 * One connection that waits for notifications, opened when somebody first listens. When it breaks it comes back
 * by itself. What was sent meanwhile is lost, which is why nobody may rely on notifications alone.
 */
export function createPostgresListener({ schema, connect, onTrouble }: ListenerOptions): PostgresListener {
  const callbacks = new Map<string, Set<OnNotification>>();
  let client: Promise<Client> | null = null;
  let reconnect: NodeJS.Timeout | null = null;
  let closed = false;

  async function open(): Promise<Client> {
    const fresh = connect();
    fresh.on('notification', ({ channel, payload = '' }) => {
      for (const onNotification of callbacks.get(channel) ?? []) onNotification(payload);
    });
    fresh.on('error', lost);
    try {
      await fresh.connect();
      for (const channel of callbacks.keys()) await fresh.query(`listen "${channel}"`);
    } catch (error) {
      await fresh.end().catch(() => {});
      throw error;
    }
    return fresh;
  }

  function lost(error: Error): void {
    client = null;
    if (closed || reconnect) return;
    onTrouble(error);
    reconnect = setTimeout(() => {
      reconnect = null;
      if (closed) return;
      // Somebody who began to listen meanwhile has opened a connection already.
      client ??= open();
      client.catch(lost);
    }, RECONNECT_MS);
  }

  return {
    async listen(channel, onNotification) {
      const name = channelName(schema, channel);
      const listeners = callbacks.get(name) ?? new Set();
      listeners.add(onNotification);
      callbacks.set(name, listeners);
      client ??= open();
      try {
        await (await client).query(`listen "${name}"`);
      } catch (error) {
        client = null;
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
      await client?.then((open) => open.end()).catch(() => {});
    },
  };
}
