import { connect as connectTcp, type Socket } from 'node:net';
import { addressIn } from '../kernel/addresses.ts';
import { ConnectError, type Connection, openConnection, portOf } from '../outbound/connection.ts';
import { createKeptConnections } from '../outbound/kept-connections.ts';
import type { CallLimit } from './call-limit.ts';
import { createReadGate, type ReadGate } from './read-gate.ts';
import { causeOf, UpstreamError } from './upstream-error.ts';

export interface GatedConnection extends Connection {
  gate: ReadGate;
}

export interface ConnectionsOptions {
  baseUrl: URL;
  /** The number that may wait for the next call; more are closed. */
  keptMax: number;
  /** Certificates to trust instead of the usual ones, as PEM. */
  ca: string | undefined;
}

export interface Connections {
  /** One that has answered before, and waits. */
  take(): GatedConnection | null;
  open(limit: CallLimit): Promise<GatedConnection>;
  /** After a whole answer. */
  giveBack(connection: GatedConnection): void;
  close(): void;
}

/** For a server that says how long it keeps connections. */
const KEPT_MS_MAX = 60_000;

export function createConnections({ baseUrl, keptMax, ca }: ConnectionsOptions): Connections {
  const kept = createKeptConnections<GatedConnection>(keptMax);
  return {
    take: () => kept.take(baseUrl.origin),
    async open({ cut }) {
      const opening = { url: baseUrl, tcp: dial(baseUrl), tls: { ca }, cut, keptMsMax: KEPT_MS_MAX };
      const { origin, address, socket, client } = await openConnection(opening).catch((error: unknown) => {
        throw notConnected(baseUrl, error);
      });
      return { origin, address, socket, client, gate: createReadGate(socket) };
    },
    giveBack: kept.keep,
    close: kept.close,
  };
}

/**
 * The system resolves the name, unlike for webhooks: the address is the operator's own, and may be known to a hosts file
 * only.
 */
function dial(url: URL): Socket {
  const host = addressIn(url.hostname) ?? url.hostname;
  return connectTcp({ host, port: portOf(url), noDelay: true, autoSelectFamily: true });
}

/** Nothing was sent when the time was over: that may be tried again. */
function notConnected({ origin }: URL, error: unknown): unknown {
  if (error instanceof ConnectError) {
    const { cause } = error;
    return new UpstreamError('unreachable', { internal: `${origin}: ${causeOf(cause)}`, cause });
  }
  const isLate = error instanceof UpstreamError && error.failure === 'timeout';
  return isLate
    ? new UpstreamError('unreachable', { internal: `no connection, ${error.internal}`, cause: error })
    : error;
}
