import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Certificate } from '../http/certificates.ts';

export interface ReceivedRequest {
  headers: IncomingHttpHeaders;
  path: string;
  body: Buffer;
  /** By a monotonic clock. */
  atMs: number;
}

export interface Receiver {
  port: number;
  requests: ReceivedRequest[];
  /** Of all connections ever made. */
  connections: number;
  /** Bytes received, of all connections. */
  bytesReceived(): number;
  /** Number of open connections. */
  open(): number;
}

export interface ReceiverOptions {
  answer?: RequestListener;
  certificate?: Certificate;
  host?: string;
  port?: number;
}

/** A receiver of webhooks that reads whole requests; it answers 200 by default. It closes with its test. */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { answer = (_request, response) => response.end('ok'), certificate, host, port } = options;
  const requests: ReceivedRequest[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      requests.push({
        headers: request.headers,
        path: request.url ?? '',
        body: Buffer.concat(chunks),
        atMs: performance.now(),
      });
      answer(request, response);
    });
  };
  const server = certificate ? createHttpsServer(certificate, listener) : createHttpServer(listener);
  return Object.assign(await open(server, host, port), { requests });
}

/** A receiver that does what no HTTP server would do: it gets the bare socket once a request has begun to arrive. */
export async function startHostile(answer: (socket: Socket) => void): Promise<Receiver> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  });
  return Object.assign(await open(server), { requests: [] });
}

/** A port of this machine that nothing listens on. */
export async function unusedPort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function open(server: Server, host = '127.0.0.1', port = 0) {
  const sockets = new Set<Socket>();
  let bytesOfClosed = 0;
  const receiver = {
    port,
    connections: 0,
    open: () => sockets.size,
    bytesReceived: () => [...sockets].reduce((sum, socket) => sum + socket.bytesRead, bytesOfClosed),
  };
  server.on('connection', (socket: Socket) => {
    receiver.connections += 1;
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      bytesOfClosed += socket.bytesRead;
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  receiver.port = (server.address() as AddressInfo).port;
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return receiver;
}
