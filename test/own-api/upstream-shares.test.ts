import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import { copyOrdersFor, edit } from '../support/folder/orders-folder.ts';
import { oauthCalls } from '../support/oauth/oauth-calls.ts';
import { answered } from '../support/run/answered.ts';
import { next } from '../support/service/build-versions.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { type RunningTestService, startTestService } from '../support/service/test-service.ts';

const SHARE = 3;
const chunk = Buffer.alloc(2 ** 16, 'x');

const sendJson = (response: ServerResponse, body: unknown): void =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** What anyone may ask for. */
const hours = {
  isHeld: false,
  held: [] as ServerResponse[],
  answer(response: ServerResponse): void {
    if (hours.isHeld) hours.held.push(response);
    else sendJson(response, { days: 'Monday to Friday' });
  },
  release(): void {
    hours.isHeld = false;
    for (const response of hours.held.splice(0)) hours.answer(response);
  },
};

const receipts = { begun: 0 };

/** What it learns about its callers. */
let told: Record<string, string | string[] | undefined> = {};

/** Never ends a receipt, never answers a list of seven, and answers the rest at once. */
function startShop(): Server {
  return createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop');
    told = { agent: request.headers['user-agent'], address: request.headers['x-forwarded-for'] };
    if (searchParams.get('limit') === '7') return;
    if (pathname === '/open-hours') return hours.answer(response);
    if (pathname === '/orders') return sendJson(response, { items: [] });
    receipts.begun += 1;
    response.writeHead(200, { 'content-type': 'text/csv' });
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  }).listen(0, '127.0.0.1');
}

describe('an upstream that clients share', () => {
  let service: RunningTestService;
  let folder: string;
  let shop: Server;
  let other: string;

  beforeAll(async () => {
    shop = startShop();
    await once(shop, 'listening');
    folder = copyOrdersFor({ sandbox: `http://127.0.0.1:${(shop.address() as AddressInfo).port}` });
    edit(folder, 'dateline.config.mjs', (text) =>
      text.replace(
        'audience:',
        `forward: ['user-agent', 'x-forwarded-for'], timeoutSeconds: 1, idleSeconds: 3, inFlightMax: 8, inFlightPerClientMax: ${SHARE}, audience:`,
      ),
    );
    service = await startTestService(anyEngine, {
      DATELINE_API: folder,
      DATELINE_TRUSTED_PROXIES: '127.0.0.1',
    });
    const client = await operatorCalls(service).createClient({ scopes: ['orders:read'] });
    const { status, text, body } = await oauthCalls(service).token({
      grant_type: 'client_credentials',
      client_id: client.id,
      client_secret: client.client_secret,
    });
    if (status !== 200) throw new Error(text);
    other = body.access_token;
  });
  afterAll(async () => {
    await service?.stop();
    shop?.closeAllConnections();
    shop?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const demo = (): string => service.quickstart.sandbox.access_token;

  async function ask(path: string, headers: Record<string, string>) {
    const response = await service.call('sandbox', path, {
      headers: { 'service-version': next, ...headers },
    });
    const body = (await response.json()) as { detail?: string };
    const retryAfter = response.headers.get('retry-after');
    return answered({ status: response.status, retryAfter, detail: body.detail }, response.url);
  }
  const list = (token: string, query = '') => ask(`/orders${query}`, { authorization: `Bearer ${token}` });
  const openHours = (address: string) => ask('/open-hours', { 'x-forwarded-for': address });

  async function gauge(name: string): Promise<number> {
    const metrics = await (await service.call('sandbox', '/metrics')).text();
    return Number(new RegExp(`^${name}\\{[^}]*sandbox[^}]*\\} (\\d+)$`, 'm').exec(metrics)?.[1]);
  }
  const inFlight = () => gauge('dateline_upstream_requests_in_flight');

  /** Asks for a receipt, and reads nothing of it. */
  function startUnread(): Socket {
    const { port } = new URL(service.urls.sandbox);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(
      `GET /orders/ord-1/receipt HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${demo()}\r\n\r\n`,
    );
    onTestFinished(() => void socket.destroy());
    return socket;
  }

  it('[folder 26] is told the user agent and address of callers where it asks, as trusted proxies name them', async () => {
    const proxied = { 'user-agent': 'books/1.0', 'x-forwarded-for': '203.0.113.9, 198.51.100.7' };
    expect((await ask('/open-hours', proxied)).status).toBe(200);
    expect(told).toEqual({ agent: 'books/1.0', address: '198.51.100.7' });
    expect((await ask('/open-hours', {})).status).toBe(200);
    expect(told.address).toBe('127.0.0.1');
  });

  it('[outside2 8] [folder 34] [folder 40] a reader that does not read holds a slot of its own client, until it is ended', async () => {
    const unread = Array.from({ length: SHARE }, startUnread);
    await expect.poll(() => receipts.begun).toBe(SHARE);
    expect(await list(demo())).toEqual({
      status: 503,
      retryAfter: '1',
      detail: expect.stringContaining('This client has as many requests in flight'),
    });
    expect(await list(other)).toMatchObject({ status: 200 });
    expect(await openHours('192.0.2.1')).toMatchObject({ status: 200 });
    await expect.poll(inFlight, { timeout: 10_000 }).toBe(0);
    expect(await list(demo())).toMatchObject({ status: 200 });
    // They were cut off, and see that once they read what is there.
    for (const socket of unread) {
      socket.resume();
      await once(socket, 'close');
    }
  });

  it('[outside2 8] [folder 40] what needs no token is shared by address, as trusted proxies name it', async () => {
    hours.isHeld = true;
    const first = ['2001:db8::1', '2001:db8:0:0:1::2', '2001:db8::3'].map(openHours);
    await expect.poll(inFlight).toBe(SHARE);
    expect(await openHours('2001:db8::4')).toMatchObject({ status: 503, retryAfter: '1' });
    const others = ['192.0.2.1', '192.0.2.2', '2001:db8:0:1::1'].map(openHours);
    await expect.poll(inFlight).toBe(SHARE + others.length);
    hours.release();
    for (const { status } of await Promise.all([...first, ...others])) expect(status).toBe(200);
  });

  it('[outside2 8] [folder 39] slow calls of one client open no circuit for others', async () => {
    for (let times = 0; times < 2; times += 1) {
      const slow = await Promise.all(Array.from({ length: SHARE }, () => list(demo(), '?limit=7')));
      expect(slow.map(({ status }) => status)).toEqual([504, 504, 504]);
    }
    expect(await gauge('dateline_upstream_circuit_open')).toBe(0);
    expect(await list(other)).toMatchObject({ status: 200 });
  });
});
