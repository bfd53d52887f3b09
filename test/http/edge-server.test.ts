import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createVersions } from '../../src/compose/create-versions.ts';
import { ApiError } from '../../src/errors/api-error.ts';
import { answerError } from '../../src/http/edge/answer-error.ts';
import { type Edge, startEdge } from '../../src/http/edge/edge-server.ts';
import { createRequestIds } from '../../src/http/edge/request-context.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { openRaw, sendRaw } from '../support/http/raw-http.ts';
import { afterNext, current } from '../support/service/build-versions.ts';
import { createTestClock } from '../support/service/test-clock.ts';

async function startTestEdge(trustedProxies: readonly string[] = []) {
  const logLines: string[] = [];
  const edge = await startEdge({
    host: '127.0.0.1',
    port: 0,
    portSetting: 'DATELINE_PORT',
    log: createLog('info', { write: (line) => void logLines.push(line) }),
    metrics: createMetrics('sandbox'),
    countUse() {},
    noteFailure() {},
    recordUnknownCaller() {},
    requestIds: createRequestIds(trustedProxies),
    versions: createVersions(createTestClock()),
  });
  return { edge, logLines };
}

/** Opens the edge with a handler that never answers by itself; resolves with the first response. */
function openHandler(edge: Edge): Promise<ServerResponse> {
  return new Promise((resolve) => edge.open((_request, response) => resolve(response)));
}

describe('the edge', () => {
  it('is alive but not ready until it is opened, and not ready again while it drains', async () => {
    const { edge } = await startTestEdge();
    expect((await fetch(`${edge.url}/healthz`)).status).toBe(200);
    const starting = await fetch(`${edge.url}/readyz`);
    expect([starting.status, await starting.json()]).toEqual([503, { status: 'starting' }]);
    const early = await fetch(`${edge.url}/v1/anything`);
    expect([early.status, early.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await early.json()).toMatchObject({ error: 'starting' });
    edge.open((_request, response) => response.end('ok'));
    expect((await fetch(`${edge.url}/readyz`)).status).toBe(200);
    await edge.drain(0);
    await expect(fetch(`${edge.url}/readyz`)).rejects.toThrow();
  });

  it('is not ready while a problem is reported, and names it', async () => {
    const { edge } = await startTestEdge();
    let problem: string | null = `This build lacks ${afterNext}.`;
    edge.open(
      (_request, response) => response.end('ok'),
      () => problem,
    );
    const unfit = await fetch(`${edge.url}/readyz`);
    expect([unfit.status, await unfit.json()]).toEqual([503, { status: 'unfit', problem }]);
    problem = null;
    expect((await fetch(`${edge.url}/readyz`)).status).toBe(200);
    await edge.drain(0);
  });

  it('finishes requests in flight while it accepts no new connections, then ends', async () => {
    const { edge } = await startTestEdge();
    const slow = openHandler(edge);
    const inFlight = fetch(`${edge.url}/slow`);
    const response = await slow;
    const drained = edge.drain(60_000);
    await expect(fetch(`${edge.url}/new`)).rejects.toThrow();
    response.end('slow but whole');
    expect(await (await inFlight).text()).toBe('slow but whole');
    await drained;
  });

  it('[versions 41] answers 503 to a request that arrives on a kept-alive connection while it drains', async () => {
    const { edge } = await startTestEdge();
    const slow = openHandler(edge);
    const connection = openRaw(edge.url, 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    const response = await slow;
    const drained = edge.drain(60_000);
    const laterSeen = new Promise((resolve) => response.socket?.once('data', resolve));
    connection.write('GET /later HTTP/1.1\r\nHost: x\r\n\r\n');
    await laterSeen;
    response.end('first');
    const [first, second] = (await connection.answer).split(/(?=HTTP\/1\.1)/);
    expect(first).toMatch(/^HTTP\/1\.1 200 /);
    expect(second).toMatch(/^HTTP\/1\.1 503 /);
    expect(second?.toLowerCase()).toContain('connection: close');
    expect(second).toContain('"error":"draining"');
    expect(second).toContain(`service-version: ${current}`);
    await drained;
  });

  it('[outside2 8] answers a probe on a new connection before the work of 300 connections ahead of it', async () => {
    const { edge } = await startTestEdge();
    let begun = 0;
    edge.open((request, response) => {
      begun += 1;
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => void chunks.push(chunk));
      request.on('end', () => response.end(Buffer.concat(chunks)));
    });
    const sends = (body: string): string =>
      `POST /work HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const bodies = Array.from({ length: 300 }, (_, index) => `body ${index}`);
    const answers = bodies.map((body) => sendRaw(edge.url, sends(body)));
    const probe = await sendRaw(edge.url, 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(probe).toMatch(/^HTTP\/1\.1 200 /);
    expect(begun).toBeLessThan(200);
    for (const [index, answer] of (await Promise.all(answers)).entries())
      expect(answer.endsWith(`\r\n\r\n${bodies[index]}`)).toBe(true);
    expect(begun).toBe(300);
    await edge.drain(0);
  });

  it('[outside 14] answers 404 to a bad version before the 503 of draining, and before 417', async () => {
    const { edge } = await startTestEdge();
    const slow = openHandler(edge);
    const connection = openRaw(edge.url, 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    const response = await slow;
    const expecting = 'GET /v1/x HTTP/1.1\r\nHost: x\r\nService-Version: 1987-01\r\nExpect: foo\r\n';
    expect(await sendRaw(edge.url, `${expecting}Connection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 404 /);
    const drained = edge.drain(60_000);
    const laterSeen = new Promise((resolve) => response.socket?.once('data', resolve));
    connection.write('GET /later HTTP/1.1\r\nHost: x\r\nService-Version: nonsense\r\n\r\n');
    await laterSeen;
    response.end('first');
    const [, second] = (await connection.answer).split(/(?=HTTP\/1\.1)/);
    expect(second).toMatch(/^HTTP\/1\.1 404 /);
    expect(second).toContain('"error":"version_not_found"');
    expect(second?.toLowerCase()).toContain('connection: close');
    await drained;
  });

  it('[outside 14] rejects a malformed version while it starts, and none that the ledger may hold', async () => {
    const { edge } = await startTestEdge();
    const probe = (version: string) =>
      fetch(`${edge.url}/readyz`, { headers: { 'service-version': version } });
    expect((await probe('nonsense')).status).toBe(404);
    expect((await probe(afterNext)).status).toBe(503);
    edge.open((_request, response) => response.end('ok'));
    expect((await probe(afterNext)).status).toBe(404);
    await edge.drain(0);
  });

  it('aborts requests that outlast the drain limit, and logs them', async () => {
    const { edge, logLines } = await startTestEdge();
    const slow = openHandler(edge);
    const refused = expect(fetch(`${edge.url}/endless`)).rejects.toThrow();
    await slow;
    await edge.drain(20);
    await refused;
    expect(logLines.join('')).toContain('"status":499');
  });

  it('ends and logs every request of a client that pipelined two and disconnected', async () => {
    const { edge, logLines } = await startTestEdge();
    const slow = openHandler(edge);
    const connection = openRaw(
      edge.url,
      'GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n',
    );
    await slow;
    connection.destroy();
    await edge.drain(60_000);
    expect(logLines.map((line) => JSON.parse(line).status)).toEqual([499, 499]);
  });

  it('answers a valid request although invalid bytes follow it', async () => {
    const { edge } = await startTestEdge();
    const slow = openHandler(edge);
    const connection = openRaw(edge.url, 'GET /good HTTP/1.1\r\nHost: x\r\n\r\nNONSENSE\r\n\r\n');
    (await slow).end('good');
    expect(await connection.answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*good/);
    await edge.drain(0);
  });

  it('[outside 9] refuses a request with two Host headers', async () => {
    const { edge } = await startTestEdge();
    edge.open((_request, response) => response.end('ok'));
    for (const second of ['Host: x', 'hOST: y']) {
      const bytes = `GET / HTTP/1.1\r\nHost: x\r\n${second}\r\n\r\n`;
      const answer = await sendRaw(edge.url, bytes);
      expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*"error":"invalid_request"/);
      expect(answer).toContain('one Host header');
    }
    const one = 'GET / HTTP/1.1\r\nHost: x\r\nX-Host: Host\r\nConnection: close\r\n\r\n';
    expect(await sendRaw(edge.url, one)).toMatch(/^HTTP\/1\.1 200 /);
    await edge.drain(0);
  });

  it('accepts a target in absolute form (RFC 9112 §3.2.2)', async () => {
    const { edge } = await startTestEdge();
    const bytes =
      'GET http://example.com/readyz?x=1 HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n';
    expect(await sendRaw(edge.url, bytes)).toContain('{"status":"starting"}');
    await edge.drain(0);
  });

  it.each([
    ['GET / HTTP/1.1\r\nbad header\r\n\r\n', 400, 'invalid_request'],
    ['NONSENSE\r\n\r\n', 400, 'invalid_request'],
    [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['GET / HTTP/1.1\r\nHost: x\r\nExpect: foo\r\nConnection: close\r\n\r\n', 417, 'expectation_failed'],
  ])('answers what the parser rejects with an error of the usual shape (%#)', async (bytes, status, code) => {
    const { edge } = await startTestEdge();
    edge.open((_request, response) => response.end('ok'));
    const answer = await sendRaw(edge.url, bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer.toLowerCase()).toContain(`service-version: ${current}`);
    expect(answer.toLowerCase()).toContain('vary: service-version');
    expect(answer).toContain(`"error":"${code}"`);
    expect(answer).toMatch(/x-request-id: req_\w+/i);
    await edge.drain(0);
  });

  it('gives each request an id of its own, and accepts one from a trusted proxy only', async () => {
    const { edge } = await startTestEdge();
    const own = await fetch(`${edge.url}/healthz`, { headers: { 'x-request-id': 'chosen' } });
    expect(own.headers.get('x-request-id')).toMatch(/^req_[A-Za-z0-9]{22}$/);
    await edge.drain(0);
    const trusting = await startTestEdge(['127.0.0.0/8']);
    const kept = await fetch(`${trusting.edge.url}/healthz`, { headers: { 'x-request-id': 'from-proxy_1' } });
    expect(kept.headers.get('x-request-id')).toBe('from-proxy_1');
    const unfit = await fetch(`${trusting.edge.url}/healthz`, {
      headers: { 'x-request-id': 'has space and "quote"' },
    });
    expect(unfit.headers.get('x-request-id')).toMatch(/^req_/);
    await trusting.edge.drain(0);
  });

  it('writes one log line per request, with the internal error text and without path or query', async () => {
    const { edge, logLines } = await startTestEdge();
    edge.open((request, response) => {
      const error = new ApiError('internal_error', { internal: 'the disk is on fire' });
      answerError(request, response, error);
    });
    const response = await fetch(`${edge.url}/secret-path?token=dl_at_secret`);
    expect(await response.text()).not.toContain('fire');
    await edge.drain(1_000);
    expect(logLines).toHaveLength(1);
    expect(JSON.parse(logLines[0] ?? '')).toMatchObject({
      level: 'error',
      method: 'GET',
      route: 'unmatched',
      version: current,
      status: 500,
      internal: 'the disk is on fire',
      request_id: response.headers.get('x-request-id'),
    });
    expect(logLines[0]).not.toContain('secret');
  });

  it('names the setting to change when its port is taken', async () => {
    const { edge } = await startTestEdge();
    const port = Number(new URL(edge.url).port);
    const second = startEdge({
      host: '127.0.0.1',
      port,
      portSetting: 'DATELINE_SANDBOX_PORT',
      log: createLog('silent', { write() {} }),
      metrics: createMetrics('sandbox'),
      countUse() {},
      noteFailure() {},
      recordUnknownCaller() {},
      requestIds: createRequestIds([]),
      versions: createVersions(createTestClock()),
    });
    await expect(second).rejects.toThrow(
      `Port ${port} is in use by another program; stop that program, or set DATELINE_SANDBOX_PORT`,
    );
    await edge.drain(0);
  });
});
