import type { Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions as TlsOptions } from 'node:tls';
import type { buildConnector, Client } from 'undici';
import { addressIn } from '../kernel/addresses.ts';
import type { Cut } from './cut.ts';

/** An open socket, and the client that speaks HTTP on it: one exchange at a time. */
export interface Connection {
  origin: string;
  /** The address the socket is connected to, whatever its name leads to later; empty if it was reset at once. */
  address: string;
  socket: Socket;
  client: Client;
}

export interface Opening {
  url: URL;
  /** On its way to an address of the URL; see `portOf`. */
  tcp: Socket;
  tls: Pick<TlsOptions, 'ca' | 'rejectUnauthorized'>;
  cut: Cut;
  /** Throws if nothing may be sent to the address. Called before the first byte, that of TLS included. */
  check?(address: string): void;
  /** The longest time that an idle connection is kept where the server names one. */
  keptMsMax?: number;
}

/** The socket failed before it was open; the cause is its error. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
  readonly stage: 'tcp' | 'tls';

  constructor(stage: 'tcp' | 'tls', cause: Error) {
    super(`no connection: ${stage}`, { cause });
    this.stage = stage;
  }
}

const HEADER_BYTES_MAX = 16_384;
const KEPT_MS = 4_000;

/** Rejects with a `ConnectError`, with what `check` throws, or with the reason of the cut. */
export async function openConnection(opening: Opening): Promise<Connection> {
  const { url, tcp, cut, check, keptMsMax = KEPT_MS } = opening;
  try {
    await opened(tcp, 'tcp', cut);
    const address = tcp.remoteAddress ?? '';
    check?.(address);
    const socket = url.protocol === 'https:' ? await secure(opening) : tcp;
    return { origin: url.origin, address, socket, client: await clientOn(socket, url.origin, keptMsMax) };
  } catch (error) {
    tcp.destroy();
    throw error;
  }
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

export function portOf({ port, protocol }: URL): number {
  return port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port);
}

async function secure({ url, tcp, tls, cut }: Opening): Promise<Socket> {
  const address = addressIn(url.hostname);
  const socket = connectTls({
    ...tls,
    socket: tcp,
    host: address ?? url.hostname,
    // RFC 6066 §3: addresses are not named.
    servername: address === null ? url.hostname : '',
    ALPNProtocols: ['http/1.1'],
  });
  await opened(socket, 'tls', cut);
  return socket;
}

function opened(socket: Socket, stage: 'tcp' | 'tls', cut: Cut): Promise<void> {
  return new Promise((resolve, reject) => {
    // It listens for as long as the socket lives: an error without a listener would end the process.
    socket.on('error', (error) => reject(new ConnectError(stage, error)));
    socket.once(stage === 'tls' ? 'secureConnect' : 'connect', () => resolve());
    cut.listen(reject);
  });
}

async function clientOn(socket: Socket, origin: string, keptMsMax: number): Promise<Client> {
  const { Client } = await import('./http-client.ts');
  return new Client(origin, {
    connect: handOver(socket),
    maxHeaderSize: HEADER_BYTES_MAX,
    // The limit of the whole exchange stands in for these.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEPT_MS,
    keepAliveMaxTimeout: keptMsMax,
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
      if (isHandedOver || socket.destroyed) return callback(closed(), null);
      isHandedOver = true;
      callback(null, socket);
    });
}

function closed(): Error {
  return Object.assign(new Error('the connection is closed'), { code: 'ECONNRESET' });
}
