import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { CONNECTIONS, caller } from '../../bench/http-caller.ts';

describe('the HTTP caller of the benches', () => {
  let server: Server;
  afterEach(() => server.closeAllConnections());

  async function start(listener: RequestListener): Promise<string> {
    server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/path?query=1`;
  }

  it('sends forms over kept-alive connections, and counts whole answers', async () => {
    const seen = { requests: 0, connections: 0, bodies: new Set<string>() };
    const url = await start(async (request, response) => {
      seen.requests += 1;
      for await (const body of request.setEncoding('utf8')) seen.bodies.add(`${request.url} ${body}`);
      response.setHeader('content-length', 8);
      response.write('good');
      setImmediate(() => response.end('-end'));
    });
    server.on('connection', () => {
      seen.connections += 1;
    });
    const { work } = caller('server', url, { form: () => 'token=a', expects: 'good-end' });
    const first = await work(30);
    const second = await work(30);
    expect(first.operations + second.operations).toBe(seen.requests);
    expect(seen.connections).toBe(CONNECTIONS);
    expect([...seen.bodies]).toEqual(['/path?query=1 token=a']);
  });

  it('finds the end of a chunked answer', async () => {
    const url = await start((_, response) => {
      response.write('one');
      setImmediate(() => response.end('two'));
    });
    const { work } = caller('server', url, { expects: 'two' });
    const [first, second] = [await work(30), await work(30)];
    expect(first.operations + second.operations).toBeGreaterThan(CONNECTIONS);
  });

  it.each<[string, RequestListener]>([
    ['another status', (_, response) => response.writeHead(503, { 'content-length': 2 }).end('ok')],
    ['another answer', (_, response) => response.writeHead(200, { 'content-length': 2 }).end('no')],
    ['half an answer', (_, response) => void response.write('ok', () => response.destroy())],
    ['no answer', (_, response) => response.destroy()],
  ])('does not count %s as work', async (_title, listener) => {
    const { work } = caller('server', await start(listener), { expects: 'ok' });
    await expect(work(30)).rejects.toThrow();
  });
});
