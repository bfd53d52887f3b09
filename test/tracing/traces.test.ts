import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import { copyOrdersFor } from '../support/folder/orders-folder.ts';
import { next } from '../support/service/build-versions.ts';
import { type RunningTestService, startTestService } from '../support/service/test-service.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../support/tracing/otlp-receiver.ts';
import { startReceiver } from '../support/webhooks/receivers.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const order = {
  id: 'ord-1',
  customer: 'Ada',
  lines: [{ sku: 'umbrella', quantity: 2 }],
  total: { amount: '25.00', currency: 'EUR' },
  state: 'placed',
};

const SERVER = 2;
const CLIENT = 3;

const spanIn = (headers: IncomingHttpHeaders | undefined): string =>
  String(headers?.traceparent).split('-')[2] ?? '';

/** As a program does that passes its trace on. */
async function publish({ urls, quickstart }: RunningTestService, traceparent: string): Promise<void> {
  const { operator_key, organization_id } = quickstart.sandbox;
  const response = await fetch(`${urls.sandbox}/operator/events`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${operator_key}`,
      'content-type': 'application/json',
      traceparent,
    },
    body: JSON.stringify({
      events: [{ id: 'placed-1', type: 'order.placed', organization_id, data: order }],
    }),
  });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
}

describe('a trace', () => {
  let upstream: Server;
  let folder: string;
  let otlp: OtlpReceiver;
  let service: RunningTestService;
  const asked: IncomingHttpHeaders[] = [];

  beforeAll(async () => {
    otlp = await startOtlpReceiver();
    upstream = createServer(async (request, response) => {
      asked.push(request.headers);
      request.resume();
      await publish(service, String(request.headers.traceparent));
      response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(order));
    }).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    folder = copyOrdersFor({ sandbox: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}` });
    service = await startTestService(anyEngine, {
      DATELINE_API: folder,
      DATELINE_DELIVER: 'on',
      OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url,
      OTEL_SERVICE_NAME: 'orders-gateway',
    });
  });
  afterAll(async () => {
    upstream?.closeAllConnections();
    upstream?.close();
    await otlp?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  function ask(method: string, path: string, body: unknown, headers: Record<string, string> = {}) {
    return service.call('sandbox', path, {
      method,
      headers: {
        authorization: `Bearer ${service.quickstart.sandbox.access_token}`,
        'service-version': next,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(body),
    });
  }

  it('leads from a call through its batch and the upstream to the webhook of the event that this publishes', async () => {
    const receiver = await startReceiver();
    const endpoint = await ask('POST', '/v1/webhooks/endpoints', {
      url: `http://localhost:${receiver.port}/hook`,
      events: ['order.*'],
    });
    expect(endpoint.status).toBe(201);
    const placed = await ask(
      'POST',
      '/orders',
      { customer: 'Ada', lines: order.lines },
      { traceparent: `00-${TRACE}-${CALLER}-01` },
    );
    expect(placed.status).toBe(201);
    await expect.poll(() => receiver.requests).toHaveLength(1);
    // What was traced until then is sent before the process ends.
    await service.stop();

    const call = otlp.span('POST /orders');
    expect(call).toMatchObject({ kind: SERVER, traceId: TRACE, parentId: CALLER, isFailed: false });
    expect(call.attributes).toMatchObject({
      'service.name': 'orders-gateway',
      'http.route': '/orders',
      'http.response.status_code': 201,
      'dateline.environment': 'sandbox',
      'dateline.version': next,
      'dateline.operation': 'orders:create',
      'dateline.request_id': placed.headers.get('x-request-id'),
      'dateline.client_id': service.quickstart.sandbox.client_id,
    });
    const batch = otlp.spans.find(({ parentId }) => parentId === call.spanId);
    expect(batch).toMatchObject({ name: 'batch of reads', traceId: TRACE, links: [call.spanId] });
    const statements = otlp.spans.filter(({ parentId }) => parentId === batch?.spanId);
    expect(statements.map(({ name, kind }) => [name, kind])).toEqual([['find_tokens_in_use', CLIENT]]);
    const asking = otlp.span('upstream orders:create');
    expect(asking).toMatchObject({ kind: CLIENT, traceId: TRACE, parentId: call.spanId });
    expect(asked.map(spanIn)).toEqual([asking.spanId]);
    const publishing = otlp.span('POST /operator/events');
    expect(publishing).toMatchObject({ kind: SERVER, traceId: TRACE, parentId: asking.spanId });
    const delivery = otlp.span('deliver order.placed');
    expect(delivery).toMatchObject({ kind: CLIENT, traceId: TRACE });
    expect(delivery.attributes).toMatchObject({ 'http.response.status_code': 200 });
    expect(ancestorsOf(delivery, otlp.spans)).toContain(publishing.spanId);
    expect(receiver.requests.map(({ headers }) => spanIn(headers))).toEqual([delivery.spanId]);
  });

  it('is named in the lines of its requests', () => {
    const lines = service.logLines.map((line) => JSON.parse(line));
    const traced = lines.filter(({ trace_id }) => trace_id === TRACE).map(({ route }) => route);
    expect(traced.sort()).toEqual(['/operator/events', '/orders']);
  });

  it('holds no secret, and no address', () => {
    const { access_token, operator_key } = service.quickstart.sandbox;
    const text = JSON.stringify(otlp.spans);
    for (const secret of [access_token, operator_key, '/hook', 'Ada']) expect(text).not.toContain(secret);
  });
});

function ancestorsOf(span: ReceivedSpan, spans: readonly ReceivedSpan[]): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentId);
  return parent ? [parent.spanId, ...ancestorsOf(parent, spans)] : [];
}

describe('whether a request is traced', () => {
  const sampled = { traceparent: `00-${TRACE}-${CALLER}-01` };

  /** The spans of a request, and its line in the log. */
  async function traced(env: Record<string, string>, headers: Record<string, string> = sampled) {
    const otlp = await startOtlpReceiver();
    onTestFinished(otlp.close);
    const service = await startTestService(anyEngine, { OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url, ...env });
    const response = await service.call('sandbox', '/versions', { headers });
    expect(response.status).toBe(200);
    for (const path of ['/healthz', '/readyz', '/metrics']) await service.call('sandbox', path, { headers });
    await service.stop();
    const line = service.logLines
      .map((text) => JSON.parse(text))
      .find(({ request_id }) => request_id === response.headers.get('x-request-id'));
    return { names: otlp.spans.map(({ name }) => name), traceId: line.trace_id };
  }

  it('is decided here for strangers, who could have everything traced', async () => {
    const { names, traceId } = await traced({ OTEL_TRACES_SAMPLER: 'parentbased_always_off' });
    expect(names).toEqual([]);
    // The trace is still the caller's own.
    expect(traceId).toBe(TRACE);
  });

  it('is decided by a trusted proxy for what it passes on', async () => {
    const env = { OTEL_TRACES_SAMPLER: 'parentbased_always_off', DATELINE_TRUSTED_PROXIES: '127.0.0.1' };
    expect(await traced(env)).toEqual({ names: ['GET /versions'], traceId: TRACE });
    const unsampled = { traceparent: `00-${TRACE}-${CALLER}-00` };
    expect(await traced({ ...env, OTEL_TRACES_SAMPLER: 'parentbased_always_on' }, unsampled)).toEqual({
      names: [],
      traceId: TRACE,
    });
  });

  it('is decided here alone where the settings say so', async () => {
    const env = { OTEL_TRACES_SAMPLER: 'always_off', DATELINE_TRUSTED_PROXIES: '127.0.0.1' };
    expect((await traced(env)).names).toEqual([]);
  });

  it('is a matter of chance where a share of requests is, and probes have no part in it', async () => {
    const sampler = { OTEL_TRACES_SAMPLER: 'traceidratio' };
    expect((await traced({ ...sampler, OTEL_TRACES_SAMPLER_ARG: '1' }, {})).names).toEqual(['GET /versions']);
    expect((await traced({ ...sampler, OTEL_TRACES_SAMPLER_ARG: '0' }, {})).names).toEqual([]);
  });

  it('is never asked where nobody takes traces: no line names one', async () => {
    const { names, traceId } = await traced({ OTEL_EXPORTER_OTLP_ENDPOINT: '' });
    expect([names, traceId]).toEqual([[], undefined]);
  });
});

it('does not keep anybody waiting where the receiver of traces is gone: the log says so', async () => {
  const otlp = await startOtlpReceiver();
  await otlp.close();
  const service = await startTestService(anyEngine, {
    OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url,
    OTEL_EXPORTER_OTLP_TIMEOUT: '100',
  });
  expect((await service.call('sandbox', '/versions')).status).toBe(200);
  await service.stop();
  expect(service.logLines.filter((line) => line.includes('traces are not taken'))).toHaveLength(1);
});
