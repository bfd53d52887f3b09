import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import { copyOrdersFor, edit } from '../support/folder/orders-folder.ts';
import { answered } from '../support/run/answered.ts';
import { current, next, versionsBefore } from '../support/service/build-versions.ts';
import { type RunningTestService, startTestService } from '../support/service/test-service.ts';

const order = {
  id: 'ord-1',
  customer: 'Ada',
  lines: [{ sku: 'umbrella', quantity: 1 }],
  total: { amount: '12.50', currency: 'EUR' },
  state: 'placed',
};
const json =
  (status: number, body: unknown): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

describe('an upstream that fails', () => {
  let service: RunningTestService;
  let folder: string;
  let server: Server;
  let hostile: Server;
  let answer: RequestListener;
  let onSocket: ((socket: Socket) => void) | null = null;

  beforeAll(async () => {
    server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const inner = (server.address() as AddressInfo).port;
    // In front of it, so that a test may answer with bytes that no HTTP server would send.
    hostile = createTcpServer((socket) => {
      socket.on('error', () => {});
      if (onSocket) return void socket.once('data', () => onSocket?.(socket));
      server.emit('connection', socket);
    }).listen(0, '127.0.0.1') as unknown as Server;
    await once(hostile, 'listening');
    expect(inner).toBeGreaterThan(0);
    const sandbox = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`;
    folder = copyOrdersFor({ sandbox, production: sandbox.replace('127.0.0.1', 'localhost') });
    // One answer is waited for in vain, and all others come in time, also where processors stand still for a moment.
    edit(folder, 'dateline.config.mjs', (text) =>
      text.replace('audience:', 'timeoutSeconds: 5, inFlightPerClientMax: 100, audience:'),
    );
    service = await startTestService(anyEngine, { DATELINE_API: folder });
  });
  afterAll(async () => {
    await service?.stop();
    server?.closeAllConnections();
    server?.close();
    hostile?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    onSocket = null;
    answer = json(200, order);
  });

  async function read(version = next, path = '/orders/ord-1', headers: Record<string, string> = {}) {
    const response = await service.call('sandbox', path, {
      headers: {
        authorization: `Bearer ${service.quickstart.sandbox.access_token}`,
        'service-version': version,
        ...headers,
      },
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    // biome-ignore lint/suspicious/noExplicitAny: answers are read here as any client would.
    const body: any = isJson ? JSON.parse(text) : text;
    const { status, headers: got, url } = response;
    return answered({ status, code: body.code ?? body.error, body, headers: got }, url);
  }
  async function inFlight(): Promise<number> {
    const metrics = await (await service.call('sandbox', '/metrics')).text();
    return Number(/^dateline_upstream_requests_in_flight\{[^}]*sandbox[^}]*\} (\d+)$/m.exec(metrics)?.[1]);
  }
  const raw = (text: string) => {
    onSocket = (socket) => void socket.end(text);
  };

  it('is given up after its time: 504, with a hint when to try again', async () => {
    answer = () => {};
    const { status, code, headers } = await read();
    expect([status, code]).toEqual([504, 'upstream_timeout']);
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it.each([
    [
      'answers with half an answer',
      'HTTP/1.1 200 OK\r\ncontent-length: 500\r\ncontent-type: application/json\r\n\r\n{"id"',
    ],
    ['speaks no HTTP', 'hello\r\n\r\n'],
    [
      'sends headers with newlines in them',
      'HTTP/1.1 200 OK\r\nx-a: b\rc\nset-cookie: d=e\r\ncontent-length: 0\r\n\r\n',
    ],
    ['closes without an answer', ''],
  ])('that %s is a 502, or a 503 where nothing was said', async (_what, text) => {
    raw(text);
    const { status, code } = await read();
    expect([
      [502, 'upstream_failed'],
      [503, 'upstream_unavailable'],
    ]).toContainEqual([status, code]);
  });

  it.each([
    ['a body that is not what the contract says', json(200, { ...order, total: 12.5 })],
    ['a body with a field more', json(200, { ...order, secret: 'x' })],
    ['a status that the contract does not have', json(206, order)],
    [
      'a redirect',
      (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    ],
    [
      'another media type',
      (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    ],
    [
      'no JSON',
      (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
    ],
    [
      'no body',
      (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(),
    ],
  ] as [string, RequestListener][])(
    'that lies about its contract with %s is refused, and counted',
    async (_what, lie) => {
      answer = lie;
      for (const version of [current, next]) {
        const { status, code, body } = await read(version);
        expect([status, code]).toEqual([502, 'upstream_contract']);
        expect(JSON.stringify(body)).not.toContain('secret');
      }
      const metrics = await (await service.call('sandbox', '/metrics')).text();
      expect(metrics).toMatch(/dateline_upstream_contract_violations_total\{[^}]*orders:read[^}]*\} \d/);
    },
  );

  it('that lies passes none of its headers on, and keeps no place once it is refused', async () => {
    answer = (_request, response) => {
      const headers = { etag: '"1"', 'cache-control': 'max-age=60', 'content-disposition': 'attachment' };
      response.writeHead(206, { 'content-type': 'application/json', ...headers });
      // A little more than is gathered: all of it has arrived when it is refused.
      response.end(JSON.stringify('x'.repeat(1024 * 1024)));
    };
    const { status, code, headers } = await read();
    expect([status, code]).toEqual([502, 'upstream_contract']);
    expect(headers.get('cache-control')).toBe('no-store');
    expect([headers.get('etag'), headers.get('content-disposition')]).toEqual([null, null]);
    await expect.poll(inFlight).toBe(0);
  });

  it('gets its errors translated by status and code, and one whose status no version knows is refused', async () => {
    answer = json(409, { code: 'something_new', detail: 'No.' });
    expect(await read()).toMatchObject({ status: 502, code: 'upstream_contract' });
    answer = json(404, { message: 'Gone fishing.' });
    expect(await read()).toMatchObject({ status: 404, code: 'not_found', body: { detail: 'Gone fishing.' } });
    answer = json(500, { stack: 'at /srv/orders.py' });
    const broken = await read();
    expect(broken).toMatchObject({ status: 502, code: 'upstream_failed' });
    expect(JSON.stringify(broken.body)).not.toContain('orders.py');
  });

  it('streams a large answer that nothing has to translate, and refuses one that something has', async () => {
    const line = 'x'.repeat(1024 * 1024);
    answer = (request, response) => {
      const isReceipt = request.url?.endsWith('/receipt');
      response.writeHead(200, { 'content-type': isReceipt ? 'text/csv' : 'application/json' });
      for (let count = 0; count < 3; count += 1) response.write(line);
      response.end();
    };
    const receipt = await read(next, '/orders/ord-1/receipt');
    expect([receipt.status, receipt.body.length]).toEqual([200, 3 * line.length]);
    // Where a release has left nothing to translate, `forwarded-answers.test.ts` still tries it.
    for (const version of versionsBefore('2027-01'))
      expect(await read(version)).toMatchObject({ status: 502, code: 'upstream_contract' });
  });

  it('is never answered to somebody else, however calls overlap', async () => {
    answer = (request, response) => {
      const id = request.url?.split('/').at(-1) as string;
      setTimeout(() => json(200, { ...order, id })(request, response), Number(id) % 7);
    };
    // Not all at once: each has a few seconds at most.
    for (const round of [0, 1, 2, 3, 4]) {
      const ids = Array.from({ length: 20 }, (_none, index) => String(20 * round + index));
      const answers = await Promise.all(ids.map((id) => read(next, `/orders/${id}`)));
      expect(answers.map(({ body }) => body.id)).toEqual(ids);
    }
  });

  it('sees its caller go', async () => {
    let closed = false;
    const arrived = new Promise<void>((resolve) => {
      answer = (request) => {
        request.socket.once('close', () => {
          closed = true;
        });
        resolve();
      };
    });
    const caller = new AbortController();
    const asked = service.call('sandbox', '/orders/ord-1', {
      signal: caller.signal,
      headers: { authorization: `Bearer ${service.quickstart.sandbox.access_token}` },
    });
    await arrived;
    caller.abort();
    await expect(asked).rejects.toThrow();
    await expect.poll(() => closed).toBe(true);
  });
});
