import { getEventListeners, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { deadPort, publicFacts, startUpstream } from '../support/folder/test-upstream.ts';
import { createAuthority } from '../support/http/certificates.ts';
import { startHostile, startReceiver } from '../support/webhooks/receivers.ts';

describe('a call', () => {
  it('is sent as it is, below the path of the base address, and answered with all that comes back', async () => {
    const server = await startReceiver({
      answer: (_request, response) =>
        response.writeHead(201, { 'x-one': ['a', 'b'], etag: '"1"' }).end('{"id":"ord_1"}'),
    });
    const { call } = startUpstream(`http://127.0.0.1:${server.port}/behind/`);
    const { status, headers, body } = await call({
      method: 'POST',
      path: '/orders/a%2Fb',
      query: 'limit=1&name=%C3%A9+x',
      headers: { 'content-type': 'application/json', 'x-tenant': 'one' },
      body: Buffer.from('{"price":1}'),
    });
    expect([status, headers['x-one'], headers.etag, String(body)]).toEqual([
      201,
      ['a', 'b'],
      '"1"',
      '{"id":"ord_1"}',
    ]);
    const [request] = server.requests;
    expect([request?.path, String(request?.body)]).toEqual([
      '/behind/orders/a%2Fb?limit=1&name=%C3%A9+x',
      '{"price":1}',
    ]);
    expect(request?.headers).toEqual({
      host: `127.0.0.1:${server.port}`,
      connection: 'keep-alive',
      'content-type': 'application/json',
      'x-tenant': 'one',
      'accept-encoding': 'identity',
      'content-length': '11',
    });
  });

  it.each([
    '/orders/..',
    '/orders/%2e%2E/admin',
    '/orders/.%2e;x=1/admin',
    '/orders/..%2fadmin',
    '/orders/..%5Cadmin',
    '/./orders',
    '/orders/\\..\\admin',
    'http://elsewhere.test/',
    '/orders?x=1',
    '/or ders',
    '/é',
  ])('is refused where its path is %j', async (path) => {
    const server = await startReceiver();
    const { call } = startUpstream(server.port);
    await expect(call({ path })).rejects.toMatchObject({ code: 'not_found', status: 404 });
    expect(server.connections).toBe(0);
  });

  it('with dots that are a part of a name is sent', async () => {
    const server = await startReceiver();
    const { call } = startUpstream(server.port);
    for (const path of ['/a..b', '/...', '/.well-known/x', '/v1.2']) await call({ path });
    expect(server.requests.map(({ path }) => path)).toEqual(['/a..b', '/...', '/.well-known/x', '/v1.2']);
  });

  it.each(['a b', 'a#b', 'ü', 'a\r\nx: y'])('is refused where its query is %j', async (query) => {
    const { call } = startUpstream((await startReceiver()).port);
    await expect(call({ query })).rejects.toMatchObject({ code: 'invalid_request', status: 400 });
  });

  it('with a header that cannot be sent is a fault of ours, and leaves nothing behind', async () => {
    const server = await startReceiver();
    const { call, outcomes, condition } = startUpstream(server.port);
    await expect(call({ headers: { 'x-name': 'a\r\nb: c' } })).rejects.toThrow('invalid x-name header');
    await expect.poll(() => server.open()).toBe(0);
    expect([server.requests.length, outcomes(), condition().inFlight]).toEqual([0, ['not_sendable'], 0]);
  });

  it('uses one connection after another call has ended, and keeps no more than it may', async () => {
    const waiting: ServerResponse[] = [];
    const server = await startReceiver({ answer: (_request, response) => void waiting.push(response) });
    const { call } = startUpstream(server.port, { connectionsMax: 2 });
    const calls = Promise.all([call(), call(), call(), call()]);
    await expect.poll(() => waiting.length).toBe(4);
    for (const response of waiting.splice(0)) response.end();
    await calls;
    await expect.poll(() => server.open()).toBe(2);
    const next = call();
    await expect.poll(() => waiting.length).toBe(1);
    waiting[0]?.end();
    await next;
    expect(server.connections).toBe(4);
  });

  it.each(['HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'])('of %s is answered', async (method) => {
    const server = await startReceiver({
      answer: (_request, response) => response.writeHead(200, { 'content-length': 2 }).end('ok'),
    });
    const { call } = startUpstream(server.port, { answerBytesMax: 1_000 });
    for (const body of [null, Buffer.from('{}')]) {
      const answer = await call({ method, body: method === 'HEAD' || method === 'GET' ? null : body });
      expect([answer.status, String(answer.body)]).toEqual([200, method === 'HEAD' ? '' : 'ok']);
    }
  });

  it('follows no redirect, and takes an error of the upstream for an answer', async () => {
    const elsewhere = await startReceiver();
    const server = await startReceiver({
      answer: (request, response) =>
        request.url === '/moved'
          ? response.writeHead(307, { location: `http://127.0.0.1:${elsewhere.port}/` }).end()
          : response.writeHead(500).end('{"error":"boom"}'),
    });
    const { call, outcomes } = startUpstream(server.port);
    expect(await call({ path: '/moved' })).toMatchObject({
      status: 307,
      headers: { location: `http://127.0.0.1:${elsewhere.port}/` },
    });
    expect(await call()).toMatchObject({ status: 500, body: Buffer.from('{"error":"boom"}') });
    expect([elsewhere.connections, outcomes()]).toEqual([0, ['answered', 'answered']]);
  });

  it('speaks TLS, and only to a server whose certificate is trusted', async () => {
    const authority = createAuthority();
    const names: unknown[] = [];
    const server = await startReceiver({
      certificate: authority.issue({ name: 'localhost' }),
      answer: ({ socket }, response) => {
        names.push('servername' in socket && socket.servername);
        response.end();
      },
    });
    const url = `https://localhost:${server.port}`;
    const { call } = startUpstream(url, { ca: authority.cert });
    expect(await call()).toMatchObject({ status: 200 });
    expect(await call()).toMatchObject({ status: 200 });
    expect(server.connections).toBe(1);
    expect(await startUpstream(url).failure()).toMatchObject({ failure: 'unreachable', status: 503 });
    const byAddress = startUpstream(`https://127.0.0.1:${server.port}`, { ca: authority.cert });
    expect(await byAddress.failure()).toMatchObject({ failure: 'unreachable', status: 503 });
    expect(names).toEqual(['localhost', 'localhost']);
  });

  it('never gets what belongs to another one: 200 interleaved, answered in any order', async () => {
    const echo = async (request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> => {
      await delay(Math.random() * 10);
      response.writeHead(200, { 'x-caller': request.headers['x-caller'] }).end(body);
    };
    const server = await startReceiver({
      answer: (request, response) => {
        const sent = server.requests.find(
          ({ headers }) => headers['x-caller'] === request.headers['x-caller'],
        );
        void echo(request, response, sent?.body ?? Buffer.alloc(0));
      },
    });
    const { call } = startUpstream(server.port, { connectionsMax: 16 });
    const ask = async (number: number) => {
      await delay(Math.random() * 10);
      const caller = `caller-${number}`;
      const answer = await call({
        method: 'POST',
        headers: { 'x-caller': caller },
        body: Buffer.from(caller.repeat(1 + (number % 50))),
      });
      expect([answer.headers['x-caller'], String(answer.body)]).toEqual([
        caller,
        caller.repeat(1 + (number % 50)),
      ]);
    };
    // Ten callers at a time, so that each connection serves many of them.
    await Promise.all(
      Array.from({ length: 10 }, async (_, first) => {
        for (let number = first; number < 200; number += 10) await ask(number);
      }),
    );
    expect(server.requests).toHaveLength(200);
    expect(server.connections).toBeLessThanOrEqual(10);
  });
});

describe('a call that its caller leaves', () => {
  it('ends at once: the upstream sees its connection closed', async () => {
    const server = await startReceiver({ answer: () => {} });
    const { call, outcomes, condition } = startUpstream(server.port);
    const leaving = new AbortController();
    const answer = call({}, leaving.signal);
    await expect.poll(() => server.requests.length).toBe(1);
    expect(condition()).toEqual({ circuitOpen: false, inFlight: 1 });
    leaving.abort(new Error('gone'));
    await expect(answer).rejects.toThrow('gone');
    await expect.poll(() => server.open()).toBe(0);
    expect([outcomes(), condition().inFlight]).toEqual([['caller_gone'], 0]);
  });

  it('before it was sent reaches nobody', async () => {
    const server = await startReceiver();
    const { call, outcomes } = startUpstream(server.port);
    await expect(call({}, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    const leaving = new AbortController();
    const answer = call({}, leaving.signal);
    leaving.abort(new Error('gone'));
    await expect(answer).rejects.toThrow('gone');
    await expect.poll(() => server.open()).toBe(0);
    expect([server.requests.length, outcomes()]).toEqual([0, ['caller_gone']]);
  });

  it('leaves nothing behind on the signal of a caller who stays', async () => {
    const server = await startReceiver();
    const { call } = startUpstream(server.port);
    const staying = new AbortController();
    await call({}, staying.signal);
    expect(getEventListeners(staying.signal, 'abort')).toEqual([]);
  });
});

describe('an upstream with limits', () => {
  it('refuses at once what exceeds the calls in flight, and takes calls again when one has ended', async () => {
    const waiting: ServerResponse[] = [];
    const server = await startReceiver({ answer: (_request, response) => void waiting.push(response) });
    const { call, failure, outcomes } = startUpstream(server.port, {
      inFlightMax: 2,
      inFlightPerClientMax: 2,
    });
    const calls = [call(), call()];
    await expect.poll(() => waiting.length).toBe(2);
    const refused = await failure();
    expect(publicFacts(refused)).toEqual({
      status: 503,
      code: 'upstream_unavailable',
      detail: 'The upstream cannot be reached at the moment. Try again shortly.',
      headers: { 'retry-after': '1' },
      members: {},
    });
    expect(refused.internal).toBe(`upstream busy: http://127.0.0.1:${server.port}: 2 calls are in flight`);
    waiting[0]?.end('one');
    await calls[0];
    const next = call();
    await expect.poll(() => waiting.length).toBe(3);
    for (const response of waiting.slice(1)) response.end();
    await Promise.all([...calls, next]);
    expect(outcomes()).toEqual(['busy', 'answered', 'answered', 'answered']);
  });

  it('[outside2 8] [folder 40] gives one client no more than its share, and refuses it alone', async () => {
    const waiting: ServerResponse[] = [];
    const server = await startReceiver({ answer: (_request, response) => void waiting.push(response) });
    const { call, failure, outcomes, condition } = startUpstream(server.port, { inFlightMax: 8 });
    const first = [call(), call()];
    const refused = await failure();
    expect([refused.failure, publicFacts(refused)]).toEqual([
      'client_busy',
      {
        status: 503,
        code: 'upstream_unavailable',
        detail: expect.stringContaining('This client has as many requests in flight'),
        headers: { 'retry-after': '1' },
        members: {},
      },
    ]);
    const others = ['client-2', 'client-3', 'client-4'].flatMap((client) => [
      call({ client }),
      call({ client }),
    ]);
    await expect.poll(() => waiting.length).toBe(8);
    expect(await failure({ client: 'client-5' })).toMatchObject({ failure: 'busy' });
    for (const response of waiting.splice(0)) response.end();
    await Promise.all([...first, ...others]);
    expect(condition().inFlight).toBe(0);
    const again = call();
    await expect.poll(() => waiting.length).toBe(1);
    waiting[0]?.end();
    await again;
    expect(outcomes().toSorted()).toEqual([...Array(9).fill('answered'), 'busy', 'client_busy']);
  });

  it('[outside2 8] [folder 39] opens a circuit for one operation, and lets its next call find out', async () => {
    const waiting: ServerResponse[] = [];
    const server = await startReceiver({
      answer: (request, response) =>
        request.url === '/slow' ? void waiting.push(response) : void response.end('quick'),
    });
    const { call, failure, clock, problem, condition, events } = startUpstream(server.port, {
      timeoutMs: 100,
      circuit: { failuresMax: 3, openMs: 5_000 },
    });
    const slow = { operation: 'orders:report', path: '/slow' };
    await Promise.all(Array.from({ length: 20 }, () => failure(slow)));
    expect(condition().circuitOpen).toBe(false);
    await Promise.all(['client-2', 'client-3'].map((client) => failure({ ...slow, client })));
    expect([condition().circuitOpen, problem()]).toEqual([true, 'the upstream does not answer']);
    expect(await failure({ ...slow, client: 'client-4' })).toMatchObject({ failure: 'circuit_open' });
    // Others are served, and that is news: the upstream answers.
    expect(String((await call()).body)).toBe('quick');
    expect(problem()).toBeNull();
    clock.advanceSeconds(5);
    waiting.length = 0;
    const probe = call({ ...slow, client: 'client-5' });
    expect(await failure(slow)).toMatchObject({ failure: 'circuit_open' });
    expect(String((await call()).body)).toBe('quick');
    await expect.poll(() => waiting.length).toBe(1);
    expect(condition().circuitOpen).toBe(true);
    waiting[0]?.end('at last');
    expect(String((await probe).body)).toBe('at last');
    expect(condition().circuitOpen).toBe(false);
    expect(events.filter(({ type }) => type !== 'call_ended')).toEqual([
      { type: 'circuit_opened', operation: 'orders:report' },
      { type: 'circuit_closed', operation: 'orders:report' },
    ]);
  });

  it('opens its circuit while nobody listens, lets one call find out, and closes it again', async () => {
    const port = await deadPort();
    const { call, failure, clock, problem, condition, events, outcomes } = startUpstream(port, {
      circuit: { failuresMax: 3, openMs: 5_000 },
    });
    for (let times = 0; times < 3; times += 1)
      expect(await failure()).toMatchObject({ failure: 'unreachable' });
    expect([problem(), condition()]).toEqual([
      'the upstream does not answer',
      { circuitOpen: true, inFlight: 0 },
    ]);
    const refused = await failure({ method: 'POST' });
    expect(refused).toMatchObject({
      failure: 'circuit_open',
      code: 'upstream_unavailable',
      headers: { 'retry-after': '5' },
    });
    clock.advanceSeconds(5);
    expect([problem(), await failure()]).toMatchObject([null, { failure: 'unreachable' }]);
    expect(problem()).not.toBeNull();
    const waiting: ServerResponse[] = [];
    await startReceiver({ port, answer: (_request, response) => void waiting.push(response) });
    clock.advanceSeconds(5);
    const probe = call();
    await expect.poll(() => waiting.length).toBe(1);
    expect(await failure()).toMatchObject({ failure: 'circuit_open', headers: { 'retry-after': '1' } });
    waiting[0]?.writeHead(500).end();
    expect(await probe).toMatchObject({ status: 500 });
    expect([problem(), condition().circuitOpen]).toEqual([null, false]);
    expect(events.flatMap(({ type }) => (type === 'call_ended' ? [] : [type]))).toEqual([
      'circuit_opened',
      'circuit_closed',
    ]);
    expect(outcomes()).toEqual([
      ...['unreachable', 'unreachable', 'unreachable', 'circuit_open', 'unreachable', 'circuit_open'],
      'answered',
    ]);
  });

  it('shows in the metrics of its environment how its calls end', async () => {
    const server = await startReceiver();
    const metrics = createMetrics('sandbox');
    const upstream = startUpstream(server.port, { inFlightMax: 1, onEvent: metrics.observeUpstream });
    metrics.watchUpstream(upstream.condition);
    const [one] = await Promise.all([upstream.call(), upstream.failure()]);
    expect(one.status).toBe(200);
    const text = await metrics.registry.metrics();
    for (const line of [
      'dateline_upstream_requests_total{outcome="answered",environment="sandbox"} 1',
      'dateline_upstream_requests_total{outcome="busy",environment="sandbox"} 1',
      'dateline_upstream_request_duration_seconds_count{outcome="answered",environment="sandbox"} 1',
      'dateline_upstream_circuit_open{environment="sandbox"} 0',
      'dateline_upstream_requests_in_flight{environment="sandbox"} 0',
    ])
      expect(text).toContain(`${line}\n`);
    expect(text).not.toContain('duration_seconds_count{environment="sandbox",outcome="busy"}');
  });
});

describe('an upstream that is closed', () => {
  it('ends what is in flight, and takes no call any more', async () => {
    const server = await startReceiver({ answer: () => {} });
    const { failure, close } = startUpstream(server.port);
    const waiting = [failure(), failure()];
    await expect.poll(() => server.requests.length).toBe(2);
    close();
    for (const error of await Promise.all(waiting))
      expect(error).toMatchObject({ failure: 'stopped', code: 'upstream_failed' });
    await expect.poll(() => server.open()).toBe(0);
    expect(await failure()).toMatchObject({ code: 'upstream_unavailable' });
    expect(server.connections).toBe(2);
  });

  it('ends what is kept', async () => {
    // Otherwise it would be kept for a minute.
    const server = await startHostile((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nkeep-alive: timeout=600\r\ncontent-length: 0\r\n\r\n');
    });
    const { call, close } = startUpstream(server.port);
    await Promise.all([call(), call()]);
    expect(server.open()).toBe(2);
    close();
    await expect.poll(() => server.open()).toBe(0);
  });

  it('keeps no connection whose answer comes at that moment', async () => {
    let answering: ServerResponse | undefined;
    const server = await startReceiver({
      answer: (_request, response) => {
        response.write('half');
        answering = response;
      },
    });
    const { stream, close } = startUpstream(server.port);
    const answer = await stream();
    await once(answer.stream, 'readable');
    close();
    answering?.end();
    await expect.poll(() => server.open()).toBe(0);
    expect(answer.stream.errored).toMatchObject({ failure: 'stopped' });
  });
});
