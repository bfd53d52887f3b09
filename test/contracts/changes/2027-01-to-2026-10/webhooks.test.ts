import { apiVersion } from '@dateline/versions';
import { expect, it } from 'vitest';
import { expectValid } from '../../../support/contracts/products.ts';
import { onPostgresFirst } from '../../../support/database/databases.ts';
import { middleOf } from '../../../support/service/build-versions.ts';
import { ENDPOINTS, newEndpoint, useWebhooks } from '../../../support/webhooks/webhooks.ts';

const [OLDER, NEWER] = [apiVersion('2026-10'), apiVersion('2027-01')];

onPostgresFirst('2027-01 against 2026-10, in webhooks', (engine) => {
  const webhooks = useWebhooks(engine, middleOf(NEWER), NEWER);
  const { ask, create, endpoint, eventsOf, payloadOf, service, strangersToken } = webhooks;
  const typesOf = async (id: string) => (await eventsOf(id)).map(({ type }: { type: string }) => type);

  it('[webhooks 13] [versions 89] refuse a kind of the newer one in the older, also when an endpoint changes its version', async () => {
    const deleted = { ...newEndpoint, events: ['product.created', 'product.deleted'] };
    const refusal = await ask(NEWER, 'POST', ENDPOINTS, { ...deleted, api_version: OLDER });
    expect(refusal.status).toBe(422);
    expect(refusal.body.detail).toContain(`events has product.deleted, which ${OLDER} does not publish`);
    const { id } = await endpoint({ ...deleted, api_version: NEWER });
    expect((await ask(NEWER, 'PATCH', `${ENDPOINTS}/${id}`, { api_version: OLDER })).status).toBe(422);
    const both = { api_version: OLDER, events: ['product.*'] };
    expect((await ask(NEWER, 'PATCH', `${ENDPOINTS}/${id}`, both)).body).toMatchObject(both);
  });

  it('[webhooks 13] [versions 89] omit kinds that the older one does not have', async () => {
    const [older, newer] = [
      await endpoint({ api_version: OLDER, events: ['product.*'] }),
      await endpoint({ api_version: NEWER, events: ['product.*'] }),
    ];
    await ask(NEWER, 'DELETE', `/v1/products/${await create({}, NEWER)}`);
    expect(await typesOf(older.id)).toEqual(['product.created']);
    expect((await typesOf(newer.id)).sort()).toEqual(['product.created', 'product.deleted']);
  });

  it('test a kind of the newer one only there', async () => {
    const { id } = await endpoint({ api_version: OLDER });
    const path = `${ENDPOINTS}/${id}/test`;
    expect((await ask(NEWER, 'POST', path, { type: 'product.deleted' })).status).toBe(422);
    const sent = { type: 'product.deleted', api_version: NEWER };
    expect((await ask(NEWER, 'POST', path, sent)).status).toBe(202);
  });

  it('show an event of one version as it would be in the other', async () => {
    const { id } = await endpoint({ api_version: OLDER });
    await create({}, NEWER);
    const [event] = await eventsOf(id);
    const preview = { event_id: event.id, api_version: NEWER };
    const { body } = await ask(NEWER, 'POST', `${ENDPOINTS}/${id}/preview`, preview);
    expect(body.differences).toEqual(
      expect.arrayContaining([
        { path: 'api_version', kind: 'changed' },
        { path: 'data.is_archived', kind: 'removed' },
        { path: 'data.visibility', kind: 'added' },
      ]),
    );
  });

  it('[outside 1] show the maker of an endpoint, and new reasons for disabling it, in the newer one only', async () => {
    const { id, created_by } = await endpoint({ events: ['webhook_endpoint.disabled'], api_version: OLDER });
    expect(created_by).toEqual({
      client_id: service.quickstart.sandbox.client_id,
      user_id: expect.stringMatching(/^usr_/),
    });
    const path = `${ENDPOINTS}/${id}`;
    const older = await ask(OLDER, 'GET', path);
    expect(older.body).not.toHaveProperty('created_by');
    expectValid(OLDER, 'webhooks:read_endpoint', older);
    const disabled = await service.operate('sandbox', `/operator/webhooks/endpoints/${id}/disable`, {
      method: 'POST',
    });
    expect(disabled.status).toBe(200);
    expect((await ask(NEWER, 'GET', path)).body.disabled_reason).toBe('operator');
    expect((await ask(OLDER, 'GET', path)).body.disabled_reason).toBe('owner');
    const [event] = await eventsOf(id);
    expect(JSON.parse((await payloadOf(event)).toString()).data.reason).toBe('owner');
  });

  it('[outside 1] need the scopes to read what an endpoint carries in the newer one only', async () => {
    const token = await strangersToken({ scopes: ['webhooks:write'] });
    expect((await ask(NEWER, 'POST', ENDPOINTS, newEndpoint, token)).status).toBe(403);
    const made = await ask(OLDER, 'POST', ENDPOINTS, newEndpoint, token);
    expect(made.status).toBe(201);
    const path = `${ENDPOINTS}/${made.body.id}`;
    expect((await ask(NEWER, 'PATCH', path, { events: ['product.*'] }, token)).status).toBe(403);
    expect((await ask(OLDER, 'PATCH', path, { events: ['product.*'] }, token)).status).toBe(200);
    const kinds = (version: string) => ask(version, 'GET', '/v1/webhooks/event-kinds');
    expect((await kinds(NEWER)).body.items[0].scopes).toBeInstanceOf(Array);
    expect((await kinds(OLDER)).body.items[0]).not.toHaveProperty('scopes');
  });

  it.each(['introspections', 'revocations', 'report-leak'])('have %s in the newer one only', async (name) => {
    expect((await ask(OLDER, 'POST', `/v1/oauth2/${name}`, {})).status).toBe(404);
    expect((await ask(NEWER, 'POST', `/v1/oauth2/${name}`, {})).status).not.toBe(404);
  });
});
