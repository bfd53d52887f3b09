import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { buildConnector, Client } from 'undici';
import { addressIn } from '../../kernel/addresses.ts';
import type { Cut } from '../../kernel/cut.ts';
import { type ErrorClass, errorClassOf, SendingError } from './outcome.ts';
import { isAllowedAddress, portOf, type TargetRules } from './target-rules.ts';

/** A checked socket to one receiver, and what speaks HTTP on it. */
export interface Connection {
  origin: string;
  /** The address the socket is connected to; later DNS changes do not affect it. */
  address: string;
  socket: Socket;
  client: Client;
}

/** Opens a socket to one of the addresses, the first that answers. */
export type Dial = (addresses: readonly string[], port: number) => Socket;

export interface ConnectionOptions {
  url: URL;
  /** Checked already; no name is resolved after this. */
  addresses: readonly string[];
  rules: TargetRules;
  dial: Dial;
  /** Certificates to trust instead of the usual ones. */
  ca: string | undefined;
  cut: Cut;
}

const ADDRESSES_MAX = 8;
const HEADER_BYTES_MAX = 16_384;
const KEPT_MS = 4_000;

export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  const { url, addresses, rules, dial, cut } = options;
  const tcp = dial(addresses.slice(0, ADDRESSES_MAX), portOf(url));
  try {
    await opened(tcp, { event: 'connect', otherwise: 'unreachable', cut });
    const address = tcp.remoteAddress;
    if (address === undefined) throw new SendingError('connection_reset');
    // The address that bytes would really go to is checked before any is sent.
    if (!isAllowedAddress(address, rules)) throw new SendingError('address_not_allowed');
    const socket = url.protocol === 'https:' ? await secure(tcp, options) : tcp;
    return { origin: url.origin, address, socket, client: await clientOn(socket, url.origin) };
  } catch (error) {
    tcp.destroy();
    throw error;
  }
}

export const dialTcp: Dial = (addresses, port) =>
  connectTcp({
    host: 'receiver',
    port,
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 1_000,
    lookup: (_name, _options, answer) =>
      answer(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      ),
  });

async function secure(tcp: Socket, { url, ca, cut }: ConnectionOptions): Promise<Socket> {
  const address = addressIn(url.hostname);
  const socket = connectTls({
    socket: tcp,
    host: address ?? url.hostname,
    // RFC 6066 §3: addresses are not named.
    servername: address === null ? url.hostname : '',
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  });
  await opened(socket, { event: 'secureConnect', otherwise: 'tls', cut });
  return socket;
}

interface Opening {
  event: 'connect' | 'secureConnect';
  /** What an error without a known code means. */
  otherwise: ErrorClass;
  cut: Cut;
}

function opened(socket: Socket, { event, otherwise, cut }: Opening): Promise<void> {
  return new Promise((resolve, reject) => {
    // It listens for as long as the socket lives: an error without a listener would end the process.
    socket.on('error', (error) => reject(new SendingError(errorClassOf(error, otherwise), error)));
    socket.once(event, () => resolve());
    cut.listen(reject);
  });
}

async function clientOn(socket: Socket, origin: string): Promise<Client> {
  // Loaded when it is first needed: that takes a tenth of a second, which a start had better not wait for.
  const { Client } = await import('undici');
  return new Client(origin, {
    connect: handOver(socket),
    maxHeaderSize: HEADER_BYTES_MAX,
    // The deadline of the whole attempt stands in for these.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEPT_MS,
    keepAliveMaxTimeout: KEPT_MS,
  });
}

/**
 * Gives the client its one socket. When that is gone, it must not open another, nor send a request again. It answers in a
 * microtask, because the client cannot take a socket while it is still asking for one.
 */
function handOver(socket: Socket): buildConnector.connector {
  let handedOver = false;
  return (_options, callback) =>
    queueMicrotask(() => {
      if (handedOver || socket.destroyed) return callback(new SendingError('connection_reset'), null);
      handedOver = true;
      callback(null, socket);
    });
}
