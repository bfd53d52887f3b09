import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { buildConnector, Client } from 'undici';
import { addressIn } from '../kernel/addresses.ts';
import type { CallLimit } from './call-limit.ts';
import { createReadGate, type ReadGate } from './read-gate.ts';
import { causeOf, UpstreamError } from './upstream-error.ts';

/** A socket, and what speaks HTTP on it: one call at a time. */
export interface Connection {
  socket: Socket;
  gate: ReadGate;
  client: Client;
}

export interface ConnectionsOptions {
  baseUrl: URL;
  /** How many may wait for the next call; more are closed. */
  keptMax: number;
  /** Certificates to trust instead of the usual ones, as PEM. */
  ca: string | undefined;
}

export interface Connections {
  /** One that has answered before, and waits. */
  take(): Connection | null;
  open(limit: CallLimit): Promise<Connection>;
  /** After a whole answer. */
  giveBack(connection: Connection): void;
  close(): void;
}

export function createConnections({ baseUrl, keptMax, ca }: ConnectionsOptions): Connections {
  let kept: Connection[] = [];

  return {
    take() {
      // The last one that was used is the least likely to be closed by the other side just now.
      let last = kept.pop();
      while (last?.socket.destroyed) last = kept.pop();
      return last ?? null;
    },
    async open(limit) {
      const socket = dial(baseUrl, ca);
      await opened(socket, { baseUrl, limit });
      return { socket, gate: createReadGate(socket), client: await clientOn(socket, baseUrl.origin) };
    },
    giveBack(connection) {
      if (!isUsable(connection)) return void connection.socket.destroy();
      kept.push(connection);
      if (kept.length > keptMax) kept.shift()?.socket.destroy();
    },
    close() {
      for (const { socket } of kept) socket.destroy();
      kept = [];
    },
  };
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
const HEADER_BYTES_MAX = 16_384;
const KEPT_MS = 4_000;
/** For a server that says how long it keeps connections. */
const KEPT_MS_MAX = 60_000;

/**
 * The system resolves the name, unlike for webhooks: the address is the operator's own, and may be known to a hosts file
 * only.
 */
function dial({ protocol, hostname, port }: URL, ca: string | undefined): Socket {
  const address = addressIn(hostname);
  const to = {
    host: address ?? hostname,
    port: port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port),
    noDelay: true,
    autoSelectFamily: true,
  };
  if (protocol !== 'https:') return connectTcp(to);
  return connectTls({
    ...to,
    // RFC 6066 §3: addresses are not named.
    servername: address === null ? hostname : '',
    ALPNProtocols: ['http/1.1'],
    ...(ca === undefined ? {} : { ca }),
  });
}

interface Opening {
  baseUrl: URL;
  limit: CallLimit;
}

function opened(socket: Socket, { baseUrl, limit }: Opening): Promise<void> {
  return new Promise((resolve, reject) => {
    // It listens for as long as the socket lives: an error without a listener would end the process.
    socket.on('error', (error) => reject(notConnected(baseUrl, error)));
    socket.once(baseUrl.protocol === 'https:' ? 'secureConnect' : 'connect', () => resolve());
    limit.cut.listen((reason) => {
      socket.destroy();
      reject(endedEarly(reason));
    });
  });
}

function notConnected({ origin }: URL, cause: unknown): UpstreamError {
  return new UpstreamError('unreachable', { internal: `${origin}: ${causeOf(cause)}`, cause });
}

/** Nothing was sent when the time was over: that may be tried again. */
function endedEarly(reason: unknown): unknown {
  const isLate = reason instanceof UpstreamError && reason.failure === 'timeout';
  return isLate
    ? new UpstreamError('unreachable', { internal: `no connection, ${reason.internal}`, cause: reason })
    : reason;
}

async function clientOn(socket: Socket, origin: string): Promise<Client> {
  // Loaded when it is first needed: that takes a tenth of a second, which a start had better not wait for.
  const { Client } = await import('undici');
  return new Client(origin, {
    connect: handOver(socket),
    pipelining: 1,
    maxHeaderSize: HEADER_BYTES_MAX,
    // The limit of the whole call stands in for these.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEPT_MS,
    keepAliveMaxTimeout: KEPT_MS_MAX,
  });
}

/**
 * Gives the client its one socket. When that is gone, it must not open another, nor send a request again. It answers in a
 * microtask, because the client cannot take a socket while it is still asking for one.
 */
function handOver(socket: Socket): buildConnector.connector {
  let isHandedOver = false;
  return (_options, callback) =>
    queueMicrotask(() => {
      if (isHandedOver || socket.destroyed) return callback(new Error('the connection is closed'), null);
      isHandedOver = true;
      callback(null, socket);
    });
}

/** A server may answer before it has read everything; what it has not read would stand before the next request. */
function isUsable({ socket }: Connection): boolean {
  return !socket.destroyed && socket.writableLength === 0;
}
