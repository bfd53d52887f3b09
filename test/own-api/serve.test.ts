import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createUpstream } from '../../examples/orders/upstream.mjs';
import type { EnvironmentName } from '../../src/environments/environment.ts';
import { anyEngine } from '../support/database/databases.ts';
import { copyOrdersFor } from '../support/folder/orders-folder.ts';
import { answered } from '../support/run/answered.ts';
import { current, deprecated, maintained, next, versionsBefore } from '../support/service/build-versions.ts';
import { operatorSettings, runCommandLine } from '../support/service/command-line.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { type RunningTestService, startTestService } from '../support/service/test-service.ts';
import { startReceiver } from '../support/webhooks/receivers.ts';

const line = { sku: 'umbrella', quantity: 2 };
const placedOrder = {
  customer: 'Ada',
  lines: [line],
  total: { amount: '25.00', currency: 'EUR' },
  state: 'placed',
};

/** What an order with one line looks like in a version. */
function orderIn(
  version: string,
  { lines: _lines, total, ...order }: typeof placedOrder & { id: string },
): object {
  if (version >= '2027-01') return { ...order, lines: [line], total };
  const oneItem = { ...order, item: line.sku, quantity: line.quantity };
  return version >= '2026-10' ? { ...oneItem, total } : { ...oneItem, total_cents: 2500 };
}

const newOrderIn = (version: string) =>
  version >= '2027-01'
    ? { customer: 'Ada', lines: [line] }
    : { customer: 'Ada', item: line.sku, quantity: line.quantity };

describe('an API of one’s own', () => {
  let upstream: Server;
  let service: RunningTestService;
  let folder: string;
  const seen: { headers: Record<string, unknown>; url: string }[] = [];

  beforeAll(async () => {
    let answer: RequestListener = () => {};
    upstream = createServer((request, response) => {
      seen.push({ headers: request.headers, url: request.url ?? '' });
      answer(request, response);
    }).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    folder = copyOrdersFor({ sandbox: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}` });
    service = await startTestService(anyEngine, { DATELINE_API: folder, DATELINE_DELIVER: 'on' });
    const example = createUpstream(service.urls.sandbox, () => service.clock.now().getTime());
    answer = example.listeners('request')[0] as RequestListener;
  });
  afterAll(async () => {
    await service?.stop();
    upstream?.closeAllConnections();
    upstream?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  async function call(version: string, method: string, path: string, body?: unknown, token = demoToken()) {
    const response = await service.call('sandbox', path, {
      method,
      headers: {
        'service-version': version,
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    // biome-ignore lint/suspicious/noExplicitAny: answers are read here as any client would.
    const parsed: any = /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text;
    return answered({ status: response.status, headers: response.headers, body: parsed }, response.url);
  }
  const demoToken = () => service.quickstart.sandbox.access_token;
  const run = (...args: string[]) => runCommandLine(args, operatorSettings(service));

  it('is called in every version, by one server that knows the newest', async () => {
    for (const version of maintained) {
      const placed = await call(version, 'POST', '/orders', newOrderIn(version));
      expect(placed.status).toBe(201);
      const order = { ...placedOrder, id: placed.body.id };
      expect(placed.body).toEqual(orderIn(version, order));
      for (const other of maintained)
        expect((await call(other, 'GET', `/orders/${order.id}`)).body).toEqual(orderIn(other, order));
    }
    const { body } = await call(next, 'GET', '/orders?limit=1&state=placed');
    expect(body.items).toHaveLength(1);
    expect((await call(next, 'GET', '/orders?limit=1000')).body.detail).toContain('limit');
    expect((await call(next, 'GET', `/orders/${body.items[0].id}/receipt`)).body).toBe('umbrella,2\n');
    for (const version of maintained)
      expect((await call(version, 'POST', '/orders', { customer: 'Ada', wrong: 1 })).status).toBe(422);
  });

  it('answers errors in the version of the caller', async () => {
    const { body } = await call(next, 'POST', '/orders', { customer: 'Ada', lines: [line] });
    expect((await call(current, 'POST', `/orders/${body.id}/cancel`)).body.state).toBe('cancelled');
    const again = await call(next, 'POST', `/orders/${body.id}/cancel`);
    expect([again.status, again.body.code]).toEqual([409, 'already_cancelled']);
    for (const version of versionsBefore('2027-01')) {
      const older = await call(version, 'POST', `/orders/${body.id}/cancel`);
      const { error, detail } = older.body;
      expect([older.status, error, detail]).toEqual([409, 'conflict', 'The order was cancelled before.']);
    }
    expect((await call(next, 'GET', '/orders/nope')).body).toMatchObject({ code: 'not_found', status: 404 });
    const unknown = await call(next, 'POST', '/orders', {
      customer: 'Ada',
      lines: [{ sku: 'hat', quantity: 1 }],
    });
    expect([unknown.status, unknown.body.code]).toEqual([422, 'unknown_sku']);
  });

  it('tells the upstream who calls, and nothing of the caller’s own', async () => {
    seen.length = 0;
    await service.call('sandbox', '/orders', {
      headers: {
        authorization: `Bearer ${demoToken()}`,
        cookie: 'a=b',
        'x-own': 'secret',
        'service-version': deprecated,
        'idempotency-key': 'k1',
      },
    });
    const { headers } = seen[0] as (typeof seen)[0];
    expect(headers).toMatchObject({
      'service-version': next,
      'dateline-caller-version': deprecated,
      'idempotency-key': 'k1',
      'x-request-id': expect.any(String),
    });
    expect(headers.authorization).not.toContain(demoToken());
    expect(headers).not.toHaveProperty('cookie');
    expect(headers).not.toHaveProperty('x-own');
    const identity = String(headers.authorization).split(' ')[1] as string;
    expect((await call(next, 'GET', '/orders', undefined, identity)).status).toBe(401);
    expect((await call(next, 'GET', '/v1/organizations/', undefined, identity)).status).toBe(401);
  });

  it('has scopes of its own, and gives way to none of our example’s', async () => {
    const { client_id, client_secret, organization_id } = service.quickstart.sandbox;
    const token = async (scope: string) => {
      const response = await service.call('sandbox', '/v1/oauth2/token', {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret, scope }),
      });
      return (await response.json()) as { access_token: string; error?: string };
    };
    const reader = await token('orders:read');
    expect((await call(next, 'GET', '/orders', undefined, reader.access_token)).status).toBe(200);
    const refused = await call(
      next,
      'POST',
      '/orders',
      { customer: 'Ada', lines: [line] },
      reader.access_token,
    );
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope']);
    expect((await token('products:read')).error).toBe('invalid_scope');
    expect((await call(next, 'GET', '/v1/products')).status).toBe(404);
    expect((await call(next, 'GET', '/open-hours', undefined, '')).body).toEqual({
      days: 'Monday to Friday',
    });
    expect((await call(next, 'GET', '/orders', undefined, '')).status).toBe(401);
    const made = await run(
      'client',
      'create',
      '--organization',
      organization_id,
      '--name',
      'R',
      '--scopes',
      'orders:read',
    );
    expect(made.code).toBe(0);
    const wishes = await call(next, 'GET', '/wishes');
    expect([wishes.status, wishes.body.wishes]).toEqual([200, [{ name: 'A garden' }]]);
  });

  it('is in the documents, the reference, the release notes and discovery', async () => {
    for (const version of maintained) {
      const { body: document } = await call(version, 'GET', `/versions/${version}/openapi.json`);
      expect(document.detail).toBeUndefined();
      expect(Object.keys(document.paths)).toContain('/orders/{id}');
      expect(Object.keys(document.paths)).not.toContain('/v1/products');
      expect(document.info.title).toBe('Orders');
      expect(document.info.description).not.toContain('An OAuth 2.0 token service');
      // What a client may register for, and what each operation needs.
      const scopes = JSON.stringify(document).match(/"x-scopes":\[[^\]]*\]/g) ?? [];
      if (version === next) expect(scopes.join()).toContain('"orders:read","orders:write"');
      expect(scopes.join()).not.toContain('products:');
      expect(
        document.webhooks['order.placed'].post.requestBody.content['application/json'].schema.properties.data,
      ).toBeDefined();
      const page = await service.call('sandbox', `/docs/${version}`, { headers: { accept: 'text/html' } });
      const text = await page.text();
      expect(text).toContain('Place an order');
      expect(text).not.toContain('client.orders');
    }
    const { body: notes } = await call(next, 'GET', `/versions/${next}/release-notes`);
    if (next === '2027-01') expect(notes).toContain('An order has a list of lines');
    expect(notes).not.toContain('/v1/products');
    const discovery = await call(next, 'GET', '/.well-known/openid-configuration');
    expect(discovery.body.scopes_supported).toContain('orders:read');
    expect(discovery.body.scopes_supported).not.toContain('products:read');
  });

  it('publishes events, which every endpoint gets in its version', async () => {
    const { organization_id } = service.quickstart.sandbox;
    const receiver = await startReceiver();
    for (const version of maintained) {
      const { status, body } = await call(next, 'POST', '/v1/webhooks/endpoints', {
        url: `http://localhost:${receiver.port}/${version}`,
        events: ['order.*'],
        api_version: version,
      });
      expect([status, body.detail]).toEqual([201, undefined]);
    }
    const order = { ...placedOrder, id: 'ord-9' };
    const published = await service.operate('sandbox', '/operator/events', {
      method: 'POST',
      body: { events: [{ id: 'ord-9-placed', type: 'order.placed', organization_id, data: order }] },
    });
    expect(published.ok).toBe(true);
    await expect.poll(() => receiver.requests.length).toBe(3);
    const dataIn = (version: string) => {
      const request = receiver.requests.find(({ path }) => path === `/${version}`);
      const body = JSON.parse(String(request?.body));
      expect(body).toMatchObject({ type: 'order.placed', api_version: version });
      return body.data;
    };
    for (const version of maintained) expect(dataIn(version)).toEqual(orderIn(version, order));
    const forged = await service.operate('sandbox', '/operator/events', {
      method: 'POST',
      body: { events: [{ id: 'x', type: 'token.revoked', organization_id, data: {} }] },
    });
    expect(forged.status).toBe(422);
  });

  it('is rehearsed and taken back as a whole', async () => {
    const decide = async (what: string) => {
      const path = `/operator/release/${what}`;
      return (await service.operate('sandbox', path, { method: 'POST', body: { reason: 'a try' } })).status;
    };
    expect(await decide('run')).toBe(202);
    service.clock.advanceSeconds(5);
    await expect.poll(async () => (await call(next, 'GET', '/versions')).body.current).toBe(next);
    expect((await call(next, 'GET', '/orders')).status).toBe(200);
    expect((await call(deprecated, 'GET', '/orders')).status).toBe(404);
    expect(await decide('undo')).toBe(202);
    service.clock.advanceSeconds(5);
    await expect.poll(async () => (await call(current, 'GET', '/versions')).body.current).toBe(current);
    expect((await call(deprecated, 'GET', '/orders')).status).toBe(200);
  });

  it('has its upstream looked at by the doctor, who says where to correct it', async () => {
    const upstreamIn = async (environment: EnvironmentName) => {
      const { body } = await operatorCalls(service, environment).get('/operator/doctor');
      return body.items.find(({ check }: { check: string }) => check === 'upstream');
    };
    expect(await upstreamIn('sandbox')).toMatchObject({ state: 'ok' });
    expect(await upstreamIn('production')).toMatchObject({
      check: 'upstream',
      state: 'problem',
      message: expect.stringMatching(
        /^http:\/\/127\.0\.0\.1:9 cannot be reached \(ECONNREFUSED.*upstream\.production in dateline\.config\.mjs \(or \.ts\)\.$/,
      ),
    });
  });
});
