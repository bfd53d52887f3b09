import { describe, expect, it } from 'vitest';
import { expectValid } from '../support/contracts/products.ts';
import { anyEngine, onPostgresFirst } from '../support/database/databases.ts';
import { createGrantedUser } from '../support/oauth/oauth-fixtures.ts';
import { answered } from '../support/run/answered.ts';
import {
  afterNext,
  current,
  deprecated,
  maintained,
  next,
  removed,
} from '../support/service/build-versions.ts';
import { serviceEnvironment } from '../support/service/service-environment.ts';
import { useTestService } from '../support/service/test-service.ts';
import { ENDPOINTS, newEndpoint, useWebhooks } from '../support/webhooks/webhooks.ts';

onPostgresFirst('webhook endpoints', (engine) => {
  const { ask, endpoint, rows, service, strangersToken } = useWebhooks(engine);

  it.each(maintained)(
    '[versions 81] [webhooks 15] keep the version they are created with, whatever version the request has (%s)',
    async (pinned) => {
      for (const asking of maintained) {
        const sent = { ...newEndpoint, api_version: pinned };
        const created = await ask(asking, 'POST', ENDPOINTS, sent);
        expect(created.body).toMatchObject({ api_version: pinned, pinned_version: pinned });
        expectValid(asking, 'webhooks:create_endpoint', created);
        const path = `${ENDPOINTS}/${created.body.id}`;
        const changed = await ask(asking, 'PATCH', path, { description: 'Mine' });
        expect(changed.body).toMatchObject({ api_version: pinned, description: 'Mine' });
        for (const reading of maintained) {
          const read = await ask(reading, 'GET', path);
          expect(read.body).toMatchObject({ api_version: pinned, description: 'Mine' });
          expectValid(reading, 'webhooks:read_endpoint', read);
        }
      }
    },
  );

  it.each(maintained)('[outside2 24] says once in %s that api_version is no text', async (version) => {
    const { status, body } = await ask(version, 'POST', ENDPOINTS, { ...newEndpoint, api_version: 202610 });
    expect([status, body.detail]).toEqual([422, 'api_version must be a text of the form YYYY-MM.']);
  });

  it('[webhooks 8] [versions 83] are rejected with any other version, with the list of valid ones, and not stored', async () => {
    const { id } = await endpoint();
    const before = await rows('webhook_endpoints');
    for (const wrong of [removed, afterNext, '2026-02', 'latest', '2026-7', '', '2026-10-01'])
      for (const [method, path, sent] of [
        ['POST', ENDPOINTS, { ...newEndpoint, api_version: wrong }],
        ['PATCH', `${ENDPOINTS}/${id}`, { api_version: wrong, description: 'changed along' }],
      ] as const) {
        const { status, body } = await ask(next, method, path, sent);
        expect([status, body.code]).toEqual([422, 'validation_failed']);
        expect(body.detail).toBe(`api_version must be one of ${deprecated}, ${current}, ${next}.`);
      }
    expect(await rows('webhook_endpoints')).toEqual(before);
  });

  it('[webhooks 13] are rejected with kinds that their version does not have, at creation and at change', async () => {
    const { id } = await endpoint();
    for (const nobodys of ['order.*', 'order.created', 'product', '*.created', 'product.*.x', '**']) {
      const events = ['product.created', nobodys];
      const refusal = await ask(next, 'POST', ENDPOINTS, { ...newEndpoint, events });
      expect(refusal.status).toBe(422);
      expect(refusal.body.detail).toContain(`events has ${nobodys}, which ${current} does not publish`);
      expect((await ask(next, 'PATCH', `${ENDPOINTS}/${id}`, { events })).status).toBe(422);
    }
  });

  it('[webhooks 23] are rejected with forbidden targets, at creation and at change', async () => {
    const { id } = await endpoint();
    for (const [url, problem] of [
      ['file:///etc/passwd', 'must be https or http'],
      ['http+unix://%2Fvar%2Frun%2Fx.sock/', 'must be https or http'],
      ['http://10.0.0.1/', 'must not be an address that is not public'],
      ['https://user:word@example.com/', 'must not hold a user name or a password'],
      ['nowhere', 'must be an absolute URL'],
    ] as const)
      for (const { status, body } of [
        await ask(next, 'POST', ENDPOINTS, { ...newEndpoint, url }),
        await ask(next, 'PATCH', `${ENDPOINTS}/${id}`, { url }),
      ])
        expect([status, body.detail]).toEqual([422, `url ${problem}.`]);
  });

  it('[webhooks 6] show their secret once, and store it sealed', async () => {
    const created = await endpoint({ description: 'Secretive' });
    expect(created.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const path = `${ENDPOINTS}/${created.id}`;
    const rotated = (await ask(next, 'POST', `${path}/rotate-secret`)).body;
    expect(rotated.secret).not.toBe(created.secret);
    const reads = [
      await ask(next, 'GET', ENDPOINTS),
      await ask(next, 'GET', path),
      await ask(next, 'PATCH', path, { description: 'Still' }),
      await ask(next, 'GET', '/v1/webhooks/events'),
    ].map(({ body }) => JSON.stringify(body));
    const stored = JSON.stringify([
      (await rows('webhook_secrets')).map(({ sealed }) => Buffer.from(sealed as Uint8Array).toString()),
      await rows('audit_log'),
    ]);
    for (const secret of [created.secret, rotated.secret] as string[])
      for (const text of [...reads, stored, ...service.logLines])
        expect(text).not.toContain(secret.slice('whsec_'.length, -1));
  });

  it('keep one old secret beside the new one until the overlap ends, and no third', async () => {
    const { id } = await endpoint();
    const rotate = async (sent?: object) =>
      (await ask(next, 'POST', `${ENDPOINTS}/${id}/rotate-secret`, sent)).body;
    const ends = async () => {
      const own = await rows('webhook_secrets', ({ endpoint_id }) => endpoint_id === id);
      return own.map(({ expires_at }) => expires_at && (expires_at as Date).toISOString());
    };
    const in24h = new Date(service.clock.now().getTime() + 86_400_000).toISOString();
    expect((await rotate()).previous_secret_expires_at).toBe(in24h);
    expect((await ends()).sort()).toEqual([in24h, null].sort());
    const now = service.clock.now().toISOString();
    expect((await rotate({ overlap_seconds: 0 })).previous_secret_expires_at).toBe(now);
    expect((await ends()).sort()).toEqual([now, null].sort());
    for (const overlap_seconds of [-1, 604_801, 1.5])
      expect((await ask(next, 'POST', `${ENDPOINTS}/${id}/rotate-secret`, { overlap_seconds })).status).toBe(
        422,
      );
  });

  it('[webhooks 50] are 404 for other organizations, on every route', async () => {
    const { id } = await endpoint();
    const token = await strangersToken();
    for (const [method, path, sent] of [
      ['GET', '', undefined],
      ['PATCH', '', { enabled: false }],
      ['DELETE', '', undefined],
      ['POST', '/rotate-secret', undefined],
      ['POST', '/test', { type: 'product.created' }],
      ['POST', '/recover', { since: '2026-11-01T00:00:00Z' }],
      ['GET', '/recover', undefined],
      ['DELETE', '/recover', undefined],
      ['POST', '/preview', { type: 'product.created', api_version: next }],
    ] as const)
      expect((await ask(next, method, `${ENDPOINTS}/${id}${path}`, sent, token)).status).toBe(404);
    expect((await ask(next, 'GET', ENDPOINTS, undefined, token)).body.items).toEqual([]);
    expect((await ask(next, 'GET', `${ENDPOINTS}/${id}`)).body.enabled).toBe(true);
  });

  it('are created once per Idempotency-Key, with the same secret', async () => {
    const send = () =>
      service.call('sandbox', ENDPOINTS, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${service.quickstart.sandbox.access_token}`,
          'content-type': 'application/json',
          'idempotency-key': 'one-endpoint',
        },
        body: JSON.stringify(newEndpoint),
      });
    const [first, again] = [await (await send()).text(), await (await send()).text()];
    expect(again).toBe(first);
    const kept = await rows('idempotency_keys', ({ key }) => key === 'one-endpoint');
    expect(kept).toMatchObject([{ is_sealed: true }]);
    expect(Buffer.from(kept[0]?.body as Uint8Array).toString('latin1')).not.toContain('whsec_');
  });

  it('are listed page by page, without deleted ones', async () => {
    const token = await strangersToken();
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      service.clock.advanceSeconds(1);
      ids.push((await endpoint({}, token)).id);
    }
    expect((await ask(next, 'DELETE', `${ENDPOINTS}/${ids[1]}`, undefined, token)).status).toBe(204);
    const first = await ask(next, 'GET', `${ENDPOINTS}?limit=1`, undefined, token);
    expect(first.body.items.map(({ id }: { id: string }) => id)).toEqual([ids[0]]);
    const { next_cursor } = first.body.pagination;
    const rest = await ask(next, 'GET', `${ENDPOINTS}?limit=5&cursor=${next_cursor}`, undefined, token);
    expect(rest.body.items.map(({ id }: { id: string }) => id)).toEqual([ids[2]]);
    expect((await ask(next, 'GET', `${ENDPOINTS}/${ids[1]}`, undefined, token)).status).toBe(404);
  });

  it('have an audit entry for each creation, change, rotation and deletion', async () => {
    const { id } = await endpoint();
    const path = `${ENDPOINTS}/${id}`;
    await ask(next, 'PATCH', path, { url: 'http://localhost:9/secret-path', max_per_second: 5 });
    await ask(next, 'PATCH', path, { max_per_second: 5 });
    await ask(next, 'POST', `${path}/rotate-secret`);
    await ask(next, 'DELETE', path);
    const entries = await rows(
      'audit_log',
      ({ details }) => (details as { endpoint_id?: string }).endpoint_id === id,
    );
    expect(entries.map(({ action, actor_type, details }) => [action, actor_type, details]).sort()).toEqual([
      ['webhook_endpoint.created', 'user', { endpoint_id: id }],
      ['webhook_endpoint.deleted', 'user', { endpoint_id: id }],
      ['webhook_endpoint.secret_rotated', 'user', { endpoint_id: id, overlap_seconds: 86_400 }],
      ['webhook_endpoint.updated', 'user', { endpoint_id: id, fields: ['url', 'maxPerSecond'] }],
    ]);
    expect(await rows('webhook_secrets', ({ endpoint_id }) => endpoint_id === id)).toEqual([]);
  });

  it('[webhooks 7] [versions 82] without a version get Current’s identifier, before and after a release', async () => {
    const unpinned = await endpoint();
    expect(unpinned).toMatchObject({ api_version: current, pinned_version: current });
    const moved = await endpoint({ api_version: next });
    const back = await ask(next, 'PATCH', `${ENDPOINTS}/${moved.id}`, { api_version: null });
    expect(back.body).toMatchObject({ api_version: current, pinned_version: current });
    const old = await endpoint({ api_version: deprecated });
    await service.operate('sandbox', '/operator/release/run', { method: 'POST', body: {} });
    service.clock.advanceSeconds(10);
    const read = async (id: string) => (await ask(next, 'GET', `${ENDPOINTS}/${id}`)).body;
    await expect.poll(async () => (await read(old.id)).api_version).toBe(current);
    expect(await read(old.id)).toMatchObject({ pinned_version: deprecated });
    expect(await read(unpinned.id)).toMatchObject({ api_version: current, pinned_version: current });
    expect(await endpoint()).toMatchObject({ api_version: next, pinned_version: next });
    await service.operate('sandbox', '/operator/release/undo', { method: 'POST', body: {} });
    service.clock.advanceSeconds(10);
    await expect.poll(async () => (await read(old.id)).api_version).toBe(deprecated);
  });
});

describe('webhook endpoints of production', () => {
  const service = useTestService(anyEngine);

  it('[webhooks 23] accept https on the allowed ports only, at creation and at change', async () => {
    const { access } = await createGrantedUser(await serviceEnvironment(service, 'production'));
    const ask = async (method: string, path: string, url: string) => {
      const response = await service.call('production', path, {
        method,
        headers: { authorization: `Bearer ${access.tokenValue}`, 'content-type': 'application/json' },
        body: JSON.stringify(method === 'POST' ? { ...newEndpoint, url } : { url }),
      });
      const body = (await response.json()) as Record<string, string>;
      return answered({ status: response.status, body }, response.url);
    };
    const { status, body } = await ask('POST', ENDPOINTS, 'https://hooks.example.com/in');
    expect(status).toBe(201);
    for (const [url, problem] of [
      ['http://hooks.example.com/in', 'must be https'],
      ['https://hooks.example.com:8443/in', 'must have port 443'],
      ['https://localhost/in', 'must not be this machine'],
      ['https://127.0.0.1/in', 'must not be an address that is not public'],
      ['https://[::1]/in', 'must not be an address that is not public'],
      ['https://printer.local/in', 'must have a host with a public name'],
      ['file:///etc/passwd', 'must be https'],
      ['unix:/var/run/x.sock', 'must be https'],
    ] as const) {
      const refusal = { status: 422, body: { detail: `url ${problem}.` } };
      expect(await ask('POST', ENDPOINTS, url)).toMatchObject(refusal);
      expect(await ask('PATCH', `${ENDPOINTS}/${body.id}`, url)).toMatchObject(refusal);
    }
  });
});
