import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Arrival } from '../clients/history.ts';

export type ReceiverMode = 'well' | 'slow' | 'error' | 'busy' | 'cut before' | 'cut after' | 'hang';

/** Takes webhooks on a port of its own, and writes down all that arrives. */
export interface Receiver {
  readonly name: string;
  readonly url: string;
  behave(mode: ReceiverMode): void;
  /** Closes its port, and all connections. */
  leave(): void;
  comeBack(): Promise<void>;
}

const SLOW_MS = 800;

export async function startReceiver(name: string, arrivals: Arrival[]): Promise<Receiver> {
  let mode: ReceiverMode = 'well';
  let server: Server;
  let port = 0;

  async function open(): Promise<void> {
    server = createServer((request, response) => void take(request, response).catch(() => {}));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as { port: number });
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (mode === 'cut before') return void request.socket.destroy();
    const body = Buffer.concat(await request.toArray());
    const { data } = JSON.parse(body.toString()) as { data: { id?: string } };
    const arrival: Arrival = {
      receiver: name,
      atMs: performance.now(),
      id: String(request.headers['webhook-id']),
      event: data.id ?? '',
      digest: createHash('sha256').update(body).digest('base64url'),
      data: JSON.stringify(data),
      isTaken: mode === 'well' || mode === 'slow',
    };
    arrivals.push(arrival);
    answer(request, response);
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    switch (mode) {
      case 'slow':
        return void setTimeout(() => response.end(), SLOW_MS);
      case 'error':
        return void response.writeHead(500).end();
      case 'busy':
        return void response.writeHead(429, { 'retry-after': '1' }).end();
      case 'cut after':
        return void request.socket.destroy();
      case 'hang':
        return;
      default:
        response.end();
    }
  }

  await open();
  return {
    name,
    url: `http://127.0.0.1:${port}/hook`,
    behave(to) {
      mode = to;
      // Whoever waits for an answer is to wait no longer.
      if (to === 'well') server.closeAllConnections();
    },
    leave() {
      server.closeAllConnections();
      server.close();
    },
    comeBack: open,
  };
}
