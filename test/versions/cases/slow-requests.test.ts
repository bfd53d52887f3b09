import { afterEach, describe, expect, it } from 'vitest';
import { createVersions } from '../../../src/compose/create-versions.ts';
import { createApp } from '../../../src/http/app/create-app.ts';
import { type Edge, startEdge } from '../../../src/http/edge/edge-server.ts';
import { createRequestIds } from '../../../src/http/edge/request-context.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { anyEngine } from '../../support/database/databases.ts';
import { sendRaw } from '../../support/http/raw-http.ts';
import { current, next } from '../../support/service/build-versions.ts';
import { createTestClock } from '../../support/service/test-clock.ts';
import { useTestService } from '../../support/service/test-service.ts';

describe('every response carries its version when a request does not arrive', () => {
  let edge: Edge;
  const logLines: string[] = [];
  afterEach(async () => {
    await edge.drain(0);
    logLines.length = 0;
  });

  /** An edge with an app that echoes bodies, and a very short request timeout. */
  async function start(): Promise<void> {
    edge = await startEdge({
      host: '127.0.0.1',
      port: 0,
      portSetting: 'DATELINE_PORT',
      log: createLog('info', { write: (line) => void logLines.push(line) }),
      metrics: createMetrics('sandbox'),
      requestIds: createRequestIds([]),
      versions: createVersions(createTestClock()),
      countUse() {},
      noteFailure() {},
      recordUnknownCaller() {},
      arrival: { limitMs: 300, checkMs: 50 },
    });
    const app = createApp({ trustedProxies: [], requestMs: 50 });
    app.post('/echo', async (request) => request.body);
    await app.ready();
    edge.open((request, response) => app.routing(request, response));
  }

  const post = (headers: string, body: string): string =>
    `POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}\r\n${body}`;
  const statusesIn = (answer: string): string[] =>
    [...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status as string);

  it('[versions 44] on 408 for headers that stop halfway', async () => {
    await start();
    const answer = await sendRaw(edge.url, 'GET /versions HTTP/1.1\r\nHost: localhost\r\nService-Ver');
    expect(statusesIn(answer)).toEqual(['408']);
    expect(answer).toContain(`service-version: ${current}\r\n`);
    expect(answer).toContain('vary: Service-Version\r\n');
    expect(answer).toContain('"error":"request_timeout"');
  });

  it('[versions 44] on 408 for a body that stops halfway, in the requested version', async () => {
    await start();
    const answer = await sendRaw(
      edge.url,
      post(`Service-Version: ${next}\r\nContent-Length: 20\r\n`, '{"half":'),
    );
    expect(statusesIn(answer)).toEqual(['408']);
    expect(answer).toContain(`service-version: ${next}\r\n`);
    expect(answer).toContain('"error":"request_timeout"');
    expect(logLines.map((line) => JSON.parse(line))).toMatchObject([{ route: '/echo', status: 408 }]);
  });

  it('[versions 44] on 408 for a body that stops behind a complete request, which is answered first', async () => {
    await start();
    const answer = await sendRaw(
      edge.url,
      post('Content-Length: 2\r\n', '{}') + post('Content-Length: 20\r\n', '{"half":'),
    );
    expect(statusesIn(answer)).toEqual(['200', '408']);
  });

  it('and is sent once to a client that was answered before the body arrived', async () => {
    await start();
    const answer = await sendRaw(
      edge.url,
      'POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\nContent-Length: 20\r\n\r\nhalf',
    );
    expect(statusesIn(answer)).toEqual(['404']);
  });
});

describe('every response carries its version when a body is not valid HTTP', () => {
  const service = useTestService(anyEngine);

  it('[versions 44] on 400 for a broken chunk, in the requested version', async () => {
    const answer = await sendRaw(
      service.urls.sandbox,
      `POST /v1/products/ HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${service.quickstart.sandbox.access_token}\r\n` +
        `Service-Version: ${next}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain(`service-version: ${next}\r\n`);
  });
});
