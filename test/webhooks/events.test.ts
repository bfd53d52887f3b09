import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { createProduct } from '../../src/products/products.ts';
import { disableEndpoint } from '../../src/webhooks/endpoints/disable-endpoint.ts';
import type { EndpointId } from '../../src/webhooks/types.ts';
import { api, expectValid, storedProduct } from '../support/contracts/products.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { current, deprecated, maintained, next } from '../support/service/build-versions.ts';
import { createCaller } from '../support/service/service-environment.ts';
import { ENDPOINTS, useWebhooks } from '../support/webhooks/webhooks.ts';

const EVENTS = '/v1/webhooks/events';
const system = { type: 'system', id: null } as const;

onPostgresFirst('webhook events', (engine) => {
  const webhooks = useWebhooks(engine);
  const { ask, create, endpoint, eventsOf, payloadOf, rows, sandbox, service, setState, strangersToken } =
    webhooks;
  const typesOf = async (id: string) => (await eventsOf(id)).map(({ type }: { type: string }) => type);

  it('[versions 90] [versions 89] publish one change in one payload per version, in the shape of that version', async () => {
    const pins = maintained;
    const endpoints = await Promise.all([...pins, ...pins].map((api_version) => endpoint({ api_version })));
    const id = await create();
    const listed = await Promise.all(endpoints.map(async (one) => (await eventsOf(one.id))[0]));
    expect(new Set(listed.map(({ occurrence_id }) => occurrence_id)).size).toBe(1);
    const { occurrence_id } = listed[0];
    const payloads = await rows('webhook_payloads', (row) => row.occurrence_id === occurrence_id);
    expect(payloads.map(({ api_version }) => api_version).sort()).toEqual(pins);
    for (const [index, event] of listed.entries()) {
      const version = pins[index % 3] as (typeof pins)[0];
      expect(event).toMatchObject({ type: 'product.created', api_version: version, state: 'pending' });
      const bytes = await payloadOf(event);
      expect(event.payload_sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
      const body = JSON.parse(bytes.toString());
      expect(body).toMatchObject({ api_version: version, data: { id } });
      for (const other of pins) {
        const findings = api.get(other)?.validateEvent.get('product.created')?.(body);
        expect((findings?.length ?? 0) === 0).toBe(other === version);
      }
    }
  });

  it('[versions 91] do not depend on the version of the request that caused them', async () => {
    const { id } = await endpoint({ api_version: deprecated });
    for (const asking of [current, next]) await create({}, asking);
    for (const event of await eventsOf(id)) expect(event.api_version).toBe(deprecated);
    expect(await eventsOf(id)).toHaveLength(2);
  });

  it('are published for changes of a product, and not where nothing changed', async () => {
    const { id } = await endpoint({ api_version: next, events: ['product.*'] });
    const product = `/v1/products/${await create()}`;
    const change = (sent: object) => {
      service.clock.advanceSeconds(1);
      return ask(next, 'PATCH', product, sent);
    };
    await change({ name: 'Another name' });
    await change({ name: 'Another name' });
    await change({ visibility: 'archived', name: 'Archived' });
    await change({ name: 'Archived and changed' });
    await change({ visibility: 'public' });
    service.clock.advanceSeconds(1);
    await ask(next, 'DELETE', product);
    const updated = 'product.updated';
    expect(await typesOf(id)).toEqual([
      'product.created',
      updated,
      'product.archived',
      updated,
      updated,
      'product.deleted',
    ]);
  });

  it('cover tokens, grants, secrets, organizations and endpoints, validly in every version', async () => {
    const caller = await createCaller(service);
    const { tokenValue } = caller.access;
    const { organization, client, refresh, credentials } = caller;
    const watchers: string[] = [];
    for (const api_version of maintained) watchers.push((await endpoint({ api_version }, tokenValue)).id);
    const disabled = await endpoint({ events: ['token.revoked'] }, tokenValue);
    await ask(next, 'PATCH', `${ENDPOINTS}/${disabled.id}`, { enabled: false }, tokenValue);
    await service.operate('sandbox', `/operator/organizations/${organization.id}`, {
      method: 'PATCH',
      body: { name: 'Renamed' },
    });
    await service.operate('sandbox', `/operator/clients/${client.id}/rotate-secret`, { method: 'POST' });
    for (const token of [tokenValue, refresh.tokenValue])
      await service.call('sandbox', '/v1/oauth2/revoke', {
        method: 'POST',
        body: new URLSearchParams({ ...credentials, token }),
      });
    for (const id of watchers) {
      const events = await rows('webhook_events', ({ endpoint_id }) => endpoint_id === id);
      expect(events.map(({ type }) => type).sort()).toEqual([
        'client.secret_rotated',
        'grant.revoked',
        'organization.updated',
        'token.revoked',
        'webhook_endpoint.disabled',
      ]);
      // A payload that its contract rejects is stored without bytes.
      for (const event of events) expect(event.payload_sha256).not.toBeNull();
    }
  });

  it('[webhooks 42] are not stored when their cause was rolled back', async () => {
    const { id, organization_id } = await endpoint();
    const before = await rows('occurrences');
    const environment = await sandbox();
    const product = { ...storedProduct, name: 'Never was' };
    const undone = environment.transaction(async (context) => {
      await createProduct(context, [organization_id], { organizationId: null, product });
      throw new Error('changed my mind');
    });
    await expect(undone).rejects.toThrow('changed my mind');
    expect(await eventsOf(id)).toEqual([]);
    expect(await rows('occurrences')).toEqual(before);
    expect(await rows('products', ({ name }) => name === 'Never was')).toEqual([]);
  });

  it('[webhooks 50] are 404 for other organizations, and are redelivered with the write scope only', async () => {
    const { id } = await endpoint();
    await create();
    const [event] = await eventsOf(id);
    const stranger = await strangersToken();
    const path = `${EVENTS}/${event.id}`;
    for (const [method, at] of [
      ['GET', path],
      ['POST', `${path}/redeliver`],
    ] as const)
      expect((await ask(next, method, at, undefined, stranger)).status).toBe(404);
    for (const list of [EVENTS, `${EVENTS}?endpoint_id=${id}`, `/v1/webhooks/deliveries?endpoint_id=${id}`])
      expect((await ask(next, 'GET', list, undefined, stranger)).body.items).toEqual([]);
    const reader = await strangersToken({ scopes: ['webhooks:read'] });
    const refusal = await ask(next, 'POST', `${path}/redeliver`, undefined, reader);
    expect([refusal.status, refusal.body.code]).toEqual([403, 'insufficient_scope']);
  });

  it('are redelivered unchanged, unless they cannot be', async () => {
    const { id } = await endpoint();
    await create();
    const [event] = await eventsOf(id);
    const path = `${EVENTS}/${event.id}/redeliver`;
    await setState(event.id, 'delivered', { attempt_count: 3, tries: 3 });
    service.clock.advanceSeconds(60);
    const again = await ask(next, 'POST', path);
    expectValid(next, 'webhooks:redeliver', again);
    const now = service.clock.now().toISOString();
    expect(again.body).toEqual({ ...event, attempt_count: 3, state: 'pending', next_attempt_at: now });
    await setState(event.id, 'pending', { next_attempt_at: new Date('2027-06-01T00:00:00Z'), tries: 2 });
    expect((await ask(next, 'POST', path)).body).toMatchObject({ state: 'pending', next_attempt_at: now });
    expect(await rows('webhook_events', ({ id: own }) => own === event.id)).toMatchObject([{ tries: 0 }]);

    await ask(next, 'PATCH', `${ENDPOINTS}/${id}`, { enabled: false });
    expect((await ask(next, 'POST', path)).body).toMatchObject({ status: 409, code: 'conflict' });
    await ask(next, 'PATCH', `${ENDPOINTS}/${id}`, { enabled: true });
    await (await sandbox()).session
      .tables<{ webhook_payloads: { occurrence_id: string } }>()
      .deleteFrom('webhook_payloads')
      .where('occurrence_id', '=', event.occurrence_id)
      .execute();
    for (const version of maintained) {
      const { status, body } = await ask(version, 'POST', path);
      expect([status, body.code ?? body.error]).toEqual([410, 'payload_expired']);
    }
    await ask(next, 'DELETE', `${ENDPOINTS}/${id}`);
    expect((await ask(next, 'POST', path)).body).toMatchObject({
      status: 409,
      detail: 'The endpoint of this event was deleted.',
    });
  });

  it('are held while their endpoint is disabled, and the organization is notified of that once', async () => {
    const { id } = await endpoint({ events: ['product.*'] });
    const watcher = await endpoint({ events: ['webhook_endpoint.*'] });
    await create();
    const environment = await sandbox();
    const disable = () => disableEndpoint(environment, id as EndpointId, { reason: 'gone', actor: system });
    await Promise.all([disable(), disable(), disable()]);
    await disable();
    await create();
    const states = async () => (await eventsOf(id)).map(({ state }: { state: string }) => state);
    expect(await states()).toEqual(['held', 'held']);
    const [listed, ...more] = await eventsOf(watcher.id);
    expect(more).toEqual([]);
    expect(JSON.parse((await payloadOf(listed)).toString()).data).toEqual({
      endpoint_id: id,
      organization_id: watcher.organization_id,
      reason: 'gone',
      disabled_at: service.clock.now().toISOString(),
    });
    const path = `${ENDPOINTS}/${id}`;
    expect((await ask(next, 'GET', path)).body).toMatchObject({ enabled: false, disabled_reason: 'gone' });
    const enabled = await ask(next, 'PATCH', path, { enabled: true });
    expect(enabled.body).toMatchObject({ enabled: true, disabled_reason: null });
    expect(await states()).toEqual(['held', 'held']);
    await ask(next, 'DELETE', path);
    expect(await states()).toEqual(['cancelled', 'cancelled']);
    await create();
    expect(await states()).toHaveLength(2);
  });

  it('do not deadlock endpoints of one organization that are disabled at the same time', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, async () => (await endpoint()).id));
    const environment = await sandbox();
    await Promise.all(
      ids.map((id) => disableEndpoint(environment, id, { reason: 'failing', actor: system })),
    );
    const listed = await Promise.all(ids.map(async (id) => (await eventsOf(id)).length));
    // Each endpoint is notified of every one, itself included.
    expect(listed).toEqual(ids.map(() => ids.length));
  });

  it('are recovered slowly and in order, with progress, until that is cancelled', async () => {
    const { id } = await endpoint({ max_per_second: 2, events: ['product.*'] });
    const path = `${ENDPOINTS}/${id}/recover`;
    expect((await ask(next, 'GET', path)).status).toBe(404);
    await create();
    service.clock.advanceSeconds(60);
    const since = service.clock.now().toISOString();
    for (let count = 0; count < 5; count += 1) {
      await create();
      service.clock.advanceSeconds(1);
    }
    const events = await eventsOf(id);
    const states = ['exhausted', 'exhausted', 'held', 'exhausted', 'delivered', 'exhausted'] as const;
    for (const [index, state] of states.entries()) await setState(events[index].id, state, { tries: 9 });
    await ask(next, 'PATCH', `${ENDPOINTS}/${id}`, { enabled: false });
    expect((await ask(next, 'POST', path, { since })).status).toBe(409);
    await ask(next, 'PATCH', `${ENDPOINTS}/${id}`, { enabled: true });

    service.clock.advanceSeconds(60);
    const started = await ask(deprecated, 'POST', path, { since });
    expectValid(deprecated, 'webhooks:recover', started);
    expect(started.body).toMatchObject({ state: 'running', total: 4, remaining: 4, delivered: 0, failed: 0 });
    const now = service.clock.now().getTime();
    const after = (ms: number) => new Date(now + ms).toISOString();
    const due = async () =>
      (await eventsOf(id)).slice(0, 6).map((event: Record<string, unknown>) => event.next_attempt_at);
    expect(await due()).toEqual([null, after(0), after(500), after(1_000), null, after(1_500)]);

    await setState(events[1].id, 'delivered', { tries: 1 });
    await setState(events[2].id, 'pending', { tries: 1 });
    expect((await ask(next, 'GET', path)).body).toMatchObject({ remaining: 3, delivered: 1 });
    const cancelled = await ask(next, 'DELETE', path);
    expect(cancelled.body).toMatchObject({ state: 'cancelled', total: 4, remaining: 1, delivered: 1 });
    const left = (await eventsOf(id)).slice(0, 6).map(({ state }: { state: string }) => state);
    expect(left).toEqual(['exhausted', 'delivered', 'pending', 'exhausted', 'delivered', 'exhausted']);
    await setState(events[2].id, 'exhausted');
    expect((await ask(next, 'GET', path)).body).toMatchObject({
      state: 'cancelled',
      remaining: 0,
      failed: 1,
    });
    expect((await ask(next, 'POST', path, { since: '2026-02-30T00:00:00Z' })).status).toBe(422);
  });

  it('are tested by sending the example of a kind, in any version', async () => {
    const { id } = await endpoint({ api_version: deprecated, events: ['product.created'] });
    const path = `${ENDPOINTS}/${id}/test`;
    for (const [sent, version] of [
      [{ type: 'token.revoked' }, deprecated],
      [{ type: 'product.deleted', api_version: next }, next],
    ] as const) {
      const answer = await ask(current, 'POST', path, sent);
      expectValid(current, 'webhooks:test_endpoint', answer);
      expect(answer.status).toBe(202);
      expect(answer.body).toMatchObject({ type: sent.type, api_version: version, state: 'pending' });
      const body = JSON.parse((await payloadOf(answer.body)).toString());
      expect(api.get(version)?.validateEvent.get(sent.type)?.(body)).toEqual([]);
      expect(body.timestamp).toBe(service.clock.now().toISOString());
    }
    expect((await ask(next, 'POST', path, { type: 'product.melted' })).status).toBe(422);
    expect((await ask(next, 'POST', path, { type: 'token.revoked', api_version: 'x' })).status).toBe(422);
    await ask(next, 'PATCH', `${ENDPOINTS}/${id}`, { enabled: false });
    expect((await ask(next, 'POST', path, { type: 'token.revoked' })).status).toBe(409);
  });

  it('are shown as they would be in another version, with the differences', async () => {
    const { id } = await endpoint({ api_version: current });
    await create();
    const [event] = await eventsOf(id);
    const path = `${ENDPOINTS}/${id}/preview`;
    const { body } = await ask(next, 'POST', path, { event_id: event.id, api_version: next });
    const sent = JSON.parse((await payloadOf(event)).toString());
    expect(body.from).toEqual({ api_version: current, payload: sent });
    expect(api.get(next)?.validateEvent.get('product.created')?.(body.to.payload)).toEqual([]);
    expect(body.differences).toContainEqual({ path: 'api_version', kind: 'changed' });
    for (const wrong of [{}, { event_id: event.id, type: 'product.created' }, { type: 'order.created' }])
      expect((await ask(next, 'POST', path, { ...wrong, api_version: next })).status).toBe(422);
    const other = await endpoint();
    const elsewhere = await ask(next, 'POST', `${ENDPOINTS}/${other.id}/preview`, {
      event_id: event.id,
      api_version: next,
    });
    expect(elsewhere.status).toBe(404);
  });

  it('are listed newest first, by endpoint, kind and state', async () => {
    const { id } = await endpoint({ events: ['product.*'] });
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      service.clock.advanceSeconds(1);
      ids.push(await create());
    }
    service.clock.advanceSeconds(1);
    await ask(next, 'PATCH', `/v1/products/${ids[0]}`, { name: 'Changed' });
    const [first, , , changed] = await eventsOf(id);
    await setState(first.id, 'exhausted');
    const list = async (query: string) => {
      const answer = await ask(next, 'GET', `${EVENTS}?${query}`);
      return answer.body.items.map((event: { id: string }) => event.id);
    };
    const all = (await ask(next, 'GET', `${EVENTS}?limit=100`)).body.items;
    const times = all.map(({ created_at }: { created_at: string }) => created_at);
    expect(times).toEqual([...times].sort().reverse());
    expect(times.length).toBeGreaterThan(4);
    expect(await list(`endpoint_id=${id}&type=product.updated`)).toEqual([changed.id]);
    expect(await list(`endpoint_id=${id}&state=exhausted`)).toEqual([first.id]);
    expect(await list('state=exhausted')).toContain(first.id);
    const page = await ask(next, 'GET', `${EVENTS}?endpoint_id=${id}&limit=3`);
    expect(page.body.items).toHaveLength(3);
    const { next_cursor } = page.body.pagination;
    expect(await list(`endpoint_id=${id}&cursor=${next_cursor}`)).toEqual([first.id]);
    expect((await ask(next, 'GET', `${EVENTS}?state=lost`)).status).toBe(422);
  });

  it('have kinds, listed for each version with schema and example', async () => {
    const kinds = async (version: string) =>
      (await ask(next, 'GET', `/v1/webhooks/event-kinds?api_version=${version}`)).body.items;
    for (const version of maintained) {
      const listed = await kinds(version);
      const known = api.get(version)?.contract.events ?? [];
      expect(listed.map(({ type }: { type: string }) => type)).toEqual(known.map(({ kind }) => kind).sort());
      for (const { type, example, schema } of listed) {
        expect(api.get(version)?.validateEvent.get(type)?.(example)).toEqual([]);
        expect(schema).toEqual(known.find(({ kind }) => kind === type)?.schema);
      }
    }
    const usual = await ask(next, 'GET', '/v1/webhooks/event-kinds');
    expect(usual.body.items).toEqual(await kinds(current));
    expect((await ask(next, 'GET', '/v1/webhooks/event-kinds?api_version=2020-01')).status).toBe(422);
  });
});
