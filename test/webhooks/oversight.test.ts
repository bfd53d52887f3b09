import { expect, it } from 'vitest';
import { onPostgresFirst } from '../support/database/databases.ts';
import { current, maintained, next } from '../support/service/build-versions.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { useDeliveries, verified } from '../support/webhooks/deliveries.ts';

onPostgresFirst('webhooks, as operators see them', (engine) => {
  const { service, endpoint, createProduct, received, attempted, settled } = useDeliveries(engine);
  const calls = () => operatorCalls(service);
  const watched = async (id: string) => (await calls().get(`/operator/webhooks/endpoints/${id}`)).body;
  const listed = async (query: string): Promise<{ id: string }[]> =>
    (await calls().get(`/operator/webhooks/endpoints?${query}`)).body.items;

  it('[console] are endpoints of all organizations with their health, found by condition, address and id', async () => {
    const well = await endpoint({ events: ['product.created'] });
    const broken = await endpoint({ events: ['product.created'] }, (_request, response) =>
      response.writeHead(500).end('no'),
    );
    await createProduct();
    await settled(well, 'delivered');
    await attempted(broken, 1);
    expect(await watched(well.id)).toMatchObject({
      last_success_at: expect.any(String),
      failing_since: null,
      failure_count: 0,
    });
    expect(await watched(broken.id)).toMatchObject({
      last_success_at: null,
      failing_since: expect.any(String),
      failure_count: 1,
      enabled: true,
    });
    const idsOf = async (query: string) => (await listed(query)).map(({ id }) => id);
    expect(await idsOf('condition=failing')).toEqual([broken.id]);
    expect(await idsOf('condition=healthy')).toContain(well.id);
    expect(await idsOf(`search=${broken.receiver.port}`)).toEqual([broken.id]);
    expect(await idsOf(`search=${well.id}`)).toEqual([well.id]);
    // What is searched for is text: a pattern would match everything.
    expect(await idsOf('search=%25')).toEqual([]);
    await calls().post(`/operator/webhooks/endpoints/${broken.id}/disable`);
    expect(await idsOf('condition=disabled')).toEqual([broken.id]);
    expect((await calls().get('/operator/webhooks/queue')).body).toMatchObject({
      held: 1,
      disabled: 1,
      failing: 0,
    });
  });

  it('[console] are attempts with what was sent and what came back, to the byte', async () => {
    const subscribed = await endpoint({ events: ['product.created'] }, (_request, response) =>
      response.writeHead(503, { 'x-served-by': 'web-3', 'retry-after': '7' }).end('Come back later.'),
    );
    await createProduct();
    await attempted(subscribed, 1);
    const [request] = await received(subscribed, 1);
    const events = await calls().get(`/operator/webhooks/events?endpoint_id=${subscribed.id}`);
    const [{ id }] = events.body.items;
    const { body: event } = await calls().get(`/operator/webhooks/events/${id}`);
    expect(event).toMatchObject({ id, state: 'pending', payload: String(request?.body) });
    const { body, text } = await calls().get(`/operator/webhooks/events/${id}/attempts`);
    const [attempt] = body.items;
    expect(attempt).toMatchObject({
      status: 503,
      error: 'status',
      answer: 'Come back later.',
      answer_headers: { 'x-served-by': 'web-3', 'retry-after': '7' },
      stages: { lookup: expect.any(Number), connect: expect.any(Number), wait: expect.any(Number) },
    });
    // Repeated with these headers and this body, it verifies as the receiver saw it.
    for (const [name, value] of Object.entries(attempt.sent_headers))
      expect([name, request?.headers[name]]).toEqual([name, value]);
    const repeated = { ...request, headers: attempt.sent_headers, body: Buffer.from(event.payload) };
    expect(verified(repeated as never, subscribed.secret)).toMatchObject({ type: 'product.created' });
    expect(text).not.toContain(subscribed.secret);
  });

  it('[console] are events of all organizations, by state and page by page, and by kind where one is named', async () => {
    const subscribed = await endpoint({ events: ['product.created'] });
    await createProduct();
    const { id } = await settled(subscribed, 'delivered');
    const idsOf = async (query: string) =>
      (await calls().get(`/operator/webhooks/events?${query}`)).body.items.map(
        (one: { id: string }) => one.id,
      );
    expect((await idsOf('limit=5'))[0]).toBe(id);
    expect((await idsOf('state=delivered'))[0]).toBe(id);
    for (const state of ['pending', 'exhausted', 'held', 'cancelled'])
      expect(await idsOf(`state=${state}`)).not.toContain(id);
    const { organization_id } = service.quickstart.sandbox;
    expect((await idsOf(`type=product.created&organization_id=${organization_id}`))[0]).toBe(id);
    await calls().post(`/operator/webhooks/endpoints/${subscribed.id}/disable`);
    for (let count = 0; count < 2; count += 1) await createProduct();
    const held = await idsOf(`state=held&endpoint_id=${subscribed.id}`);
    const { body: page } = await calls().get('/operator/webhooks/events?state=held&limit=1');
    const after = await idsOf(`state=held&limit=1&cursor=${page.pagination.next_cursor}`);
    expect([page.items[0].id, ...after]).toEqual(held);
    expect(await calls().get('/operator/webhooks/events?type=product.created')).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('organization_id') },
    });
  });

  it('[console] may be looked at in another version, and tried out', async () => {
    const subscribed = await endpoint({ events: ['product.created'], api_version: current });
    await createProduct();
    const { id } = await settled(subscribed, 'delivered');
    for (const version of maintained) {
      const { body } = await calls().get(`/operator/webhooks/events/${id}/preview?api_version=${version}`);
      expect([body.from.api_version, body.to.api_version]).toEqual([current, version]);
      expect(body.to.payload.api_version).toBe(version);
      expect(body.differences.length === 0).toBe(version === current);
    }
    const tested = await calls().post(`/operator/webhooks/endpoints/${subscribed.id}/test`, {
      type: 'product.created',
      api_version: next,
    });
    expect([tested.status, tested.body.test]).toEqual([202, true]);
    expect(await received(subscribed, 2)).toHaveLength(2);
    expect(await calls().lastAudit()).toMatchObject({ action: 'webhook_endpoint.tested' });
    expect((await calls().get('/operator/webhooks/events/evt_absent')).status).toBe(404);
    expect((await calls().get('/operator/webhooks/endpoints/whe_absent')).status).toBe(404);
  });
});
