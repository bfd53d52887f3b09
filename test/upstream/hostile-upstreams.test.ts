import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { errorResponse } from '../../src/errors/error-body.ts';
import type { UpstreamOptions } from '../../src/upstream/upstream.ts';
import type { UpstreamError } from '../../src/upstream/upstream-error.ts';
import { deadPort, startUpstream } from '../support/folder/test-upstream.ts';
import { startHostile, startReceiver } from '../support/webhooks/receivers.ts';

const TIMEOUT_MS = 300;
const lines = (...all: string[]): string => all.map((line) => `${line}\r\n`).join('');

/** A call to a server that does this once the request has begun to arrive. */
async function callTo(hostile: (socket: Socket) => void, options: Partial<UpstreamOptions> = {}) {
  const server = await startHostile(hostile);
  const upstream = startUpstream(server.port, options);
  return { error: await upstream.failure({ method: 'POST' }), server, upstream };
}

/** What the caller gets says nothing about where and why. */
function expectNothingInternal(error: UpstreamError): void {
  const { body, headers } = errorResponse(error, 'problem');
  expect(body + JSON.stringify(headers)).not.toMatch(/127\.0\.0\.1|E[A-Z]{4,}|UND_ERR|socket/);
  expect(error.internal).toMatch(/^upstream [a-z]+: /);
}

describe('an upstream that cannot be reached', () => {
  it('because nobody listens is 503, with Retry-After', async () => {
    const port = await deadPort();
    const error = await startUpstream(port).failure();
    expect(error).toMatchObject({ code: 'upstream_unavailable', status: 503, failure: 'unreachable' });
    expect(errorResponse(error).headers['retry-after']).toBe('1');
    expect(error.internal).toContain(`http://127.0.0.1:${port}: ECONNREFUSED`);
    expectNothingInternal(error);
  });

  it('by any address of its name is 503 too', async () => {
    const error = await startUpstream(`http://localhost:${await deadPort()}`).failure();
    expect(error).toMatchObject({ code: 'upstream_unavailable', failure: 'unreachable' });
    expect(error.internal).toContain('ECONNREFUSED');
  });

  it('because its host is unknown is 503', async () => {
    // A name that is too long to be asked for: no name server hears of it.
    const error = await startUpstream(`http://${'a'.repeat(64)}.test`).failure();
    expect(error).toMatchObject({ code: 'upstream_unavailable', status: 503, failure: 'unreachable' });
    expect(error.internal).toContain('ENOTFOUND');
  });

  it('because it never completes its TLS handshake is 503: nothing was sent', async () => {
    const server = await startHostile(() => {});
    const upstream = startUpstream(`https://127.0.0.1:${server.port}`, { timeoutMs: TIMEOUT_MS });
    expect(await upstream.failure()).toMatchObject({ code: 'upstream_unavailable', failure: 'unreachable' });
    await expect.poll(() => server.open()).toBe(0);
  });

  it('because it speaks no TLS is 503', async () => {
    const server = await startHostile((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const error = await startUpstream(`https://127.0.0.1:${server.port}`).failure();
    expect(error).toMatchObject({ code: 'upstream_unavailable', failure: 'unreachable' });
  });
});

describe('an upstream that is slow', () => {
  it('and never answers is 504 after the timeout, and its connection is closed', async () => {
    const { error, server, upstream } = await callTo(() => {}, { timeoutMs: TIMEOUT_MS });
    expect(error).toMatchObject({ code: 'upstream_timeout', status: 504, failure: 'timeout' });
    expect(error.headers).toEqual({});
    expectNothingInternal(error);
    await expect.poll(() => server.open()).toBe(0);
    expect([upstream.outcomes(), upstream.condition().inFlight]).toEqual([['timeout'], 0]);
  });

  it.each([
    ['its headers', 'HTTP/1.1 200 OK\r\nx-slow: '],
    ['its body', 'HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n'],
  ])('and drips %s is 504: the timeout is for the whole answer', async (_what, head) => {
    const drip = (socket: Socket): void => {
      socket.write(head);
      const timer = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(timer));
    };
    const { error, server } = await callTo(drip, { timeoutMs: TIMEOUT_MS });
    expect(error).toMatchObject({ code: 'upstream_timeout', status: 504 });
    await expect.poll(() => server.open()).toBe(0);
  });
});

describe('an upstream that gives no whole answer is 502', () => {
  const short = lines('HTTP/1.1 200 OK', 'content-length: 100', '', 'short');
  const chunk = lines('HTTP/1.1 200 OK', 'transfer-encoding: chunked', '', '5', 'short');
  const interim = lines('HTTP/1.1 103 Early Hints', 'link: </a>', '');
  const ok = `${lines('HTTP/1.1 200 OK', 'content-length: 2', '')}ok`;

  it.each([
    ['closes without one', 'end', '', 'closed'],
    ['resets without one', 'resetAndDestroy', '', 'closed'],
    ['closes within the headers', 'end', 'HTTP/1.1 200 OK\r\nx-', 'broken'],
    ['closes before the length that it has said', 'end', short, 'broken'],
    ['resets before the length that it has said', 'resetAndDestroy', short, 'broken'],
    ['closes between chunks', 'end', chunk, 'broken'],
  ] as const)('where it %s', async (_what, leave, answer, failure) => {
    const { error, server, upstream } = await callTo((socket) => {
      if (answer === '') socket[leave]();
      else socket.write(answer, () => socket[leave]());
    });
    // A reset may overtake what was written before it.
    const failures = leave === 'resetAndDestroy' ? [failure, 'closed'] : [failure];
    expect(failures).toContain(error.failure);
    expect(error).toMatchObject({ code: 'upstream_failed', status: 502 });
    expectNothingInternal(error);
    await expect.poll(() => server.open()).toBe(0);
    expect(upstream.condition().inFlight).toBe(0);
  });

  it.each([
    [
      'sends more than the length that it has said',
      lines('HTTP/1.1 200 OK', 'content-length: 3', '', '{"a":1}'),
    ],
    ['has two lengths', lines('HTTP/1.1 200 OK', 'content-length: 1', 'content-length: 2', '', 'xx')],
    [
      'has a length and chunks',
      lines('HTTP/1.1 200 OK', 'content-length: 3', 'transfer-encoding: chunked', '', '0', ''),
    ],
    ['has a negative length', lines('HTTP/1.1 200 OK', 'content-length: -1', '')],
    ['has a chunk of no number', lines('HTTP/1.1 200 OK', 'transfer-encoding: chunked', '', 'zz', 'x')],
    [
      'has a header with a line feed',
      'HTTP/1.1 200 OK\r\nx-a: b\nset-cookie: a=b\r\ncontent-length: 0\r\n\r\n',
    ],
    [
      'has a header with a carriage return',
      'HTTP/1.1 200 OK\r\nx-a: b\rset-cookie: a=b\r\ncontent-length: 0\r\n\r\n',
    ],
    ['ends its lines with line feeds alone', 'HTTP/1.1 200 OK\nx-a: b\ncontent-length: 0\n\n'],
    ['has NUL in a header', lines('HTTP/1.1 200 OK', 'x-a: a\u0000b', 'content-length: 0', '')],
    [
      'has a control character in a header',
      lines('HTTP/1.1 200 OK', 'x-a: a\u007fb', 'content-length: 0', ''),
    ],
    ['has a space in the name of a header', lines('HTTP/1.1 200 OK', 'x a: b', 'content-length: 0', '')],
    ['has 64 KB of headers', lines('HTTP/1.1 200 OK', `x-large: ${'x'.repeat(65_536)}`, '')],
    ['speaks another protocol', lines('220 mail.example.com ESMTP')],
    ['speaks HTTP/2', Buffer.from('000000040000000000', 'hex').toString('latin1')],
    ['switches protocols', lines('HTTP/1.1 101 Switching', 'upgrade: h2c', 'connection: upgrade', '')],
    ['sends nine interim answers before the answer', `${interim.repeat(9)}${ok}`],
  ])('where it %s', async (_what, answer) => {
    const { error, server, upstream } = await callTo((socket) => void socket.write(answer, 'latin1'));
    expect(error).toMatchObject({ code: 'upstream_failed', status: 502, failure: 'broken' });
    expectNothingInternal(error);
    await expect.poll(() => server.open()).toBe(0);
    expect(upstream.outcomes()).toEqual(['broken']);
  });

  it('where it compresses, although it was not asked to', async () => {
    const server = await startReceiver({
      answer: (_request, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{}')),
    });
    const error = await startUpstream(server.port).failure();
    expect(error).toMatchObject({ code: 'upstream_failed', failure: 'broken' });
    expect(error.internal).toContain('a content coding that was not asked for');
  });

  it('where it sends more than its answer later, that is no answer to the next call', async () => {
    const forged = lines('HTTP/1.1 201 Forged', 'content-length: 0', '');
    let first: Socket | undefined;
    const server = await startHostile((socket) => {
      first ??= socket;
      socket.write(lines('HTTP/1.1 200 OK', 'content-length: 0', ''));
    });
    const { call } = startUpstream(server.port);
    expect(await call()).toMatchObject({ status: 200 });
    first?.write(forged);
    await expect.poll(() => first?.destroyed).toBe(true);
    expect(await call()).toMatchObject({ status: 200 });
    expect(server.connections).toBe(2);
  });

  it('but eight interim answers before the answer are read', async () => {
    const server = await startHostile((socket) => void socket.write(`${interim.repeat(8)}${ok}`));
    expect(String((await startUpstream(server.port).call()).body)).toBe('ok');
  });
});

describe('the circuit of an upstream', () => {
  const circuit = { failuresMax: 3 };

  it.each([
    ['never answers', () => {}],
    ['closes every connection', (socket: Socket) => void socket.destroy()],
  ])('opens where it %s, for more than one client', async (_what, hostile) => {
    const { upstream } = await callTo(hostile, { circuit, timeoutMs: TIMEOUT_MS });
    expect(await upstream.failure()).toBeDefined();
    expect(upstream.condition().circuitOpen).toBe(false);
    await Promise.all(['client-2', 'client-3'].map((client) => upstream.failure({ client })));
    expect(upstream.condition().circuitOpen).toBe(true);
  });

  it('stays closed where it answers something that is not HTTP: one caller may cause that', async () => {
    const { upstream } = await callTo((socket) => void socket.end('nonsense\r\n\r\n'), { circuit });
    for (let times = 0; times < 4; times += 1) await upstream.failure();
    expect(upstream.condition().circuitOpen).toBe(false);
  });
});
