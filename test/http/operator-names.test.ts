import { expect, it } from 'vitest';
import { onPostgresFirst } from '../support/database/databases.ts';
import { current, deprecated } from '../support/service/build-versions.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { useDeliveries } from '../support/webhooks/deliveries.ts';

onPostgresFirst('names beside ids in the operator API', (engine) => {
  const { service, call, endpoint, createProduct, attempted } = useDeliveries(engine);
  const operator = operatorCalls(service);
  const { get, post, ask } = operator;
  const demo = () => service.quickstart.sandbox;

  async function demoNames() {
    const { body: client } = await get(`/operator/clients/${demo().client_id}`);
    const { body: organization } = await get(`/operator/organizations/${demo().organization_id}`);
    return { client: client.name as string, organization: organization.name as string };
  }

  it('[console] are those of clients and their organizations, wherever a client is answered', async () => {
    const made = await operator.createClient({ name: 'Warehouse sync' });
    expect(made).toMatchObject({ name: 'Warehouse sync', organization_name: 'Clients' });
    const path = `/operator/clients/${made.id}`;
    for (const { body } of [
      await get(path),
      await ask('PATCH', path, { name: 'Warehouse' }),
      await post(`${path}/disable`),
      await post(`${path}/enable`),
    ])
      expect(body.organization_name).toBe('Clients');
    const { body } = await get(`/operator/clients?organization_id=${made.organization_id}`);
    expect(body.items).toMatchObject([{ id: made.id, organization_name: 'Clients' }]);
  });

  it('[console] stand beside the clients of failed requests and of their groups; without a client there is none', async () => {
    const names = await demoNames();
    expect((await call('GET', '/v1/products/?limit=5000', undefined, current)).status).toBe(422);
    const anonymous = await service.call('sandbox', '/v1/products/', {
      headers: { 'service-version': current },
    });
    expect(anonymous.status).toBe(401);
    for (const path of ['/operator/failed-requests', '/operator/failed-requests/groups']) {
      const { body } = await get(path);
      expect(new Set(body.items.map(namedClient))).toEqual(
        new Set([`${demo().client_id} ${names.client}`, 'null null']),
      );
    }
  });

  it('[console] stand beside the client, subject and organizations of a token', async () => {
    const names = await demoNames();
    const { body: explained } = await post('/operator/tokens/explain', { token: demo().access_token });
    const { body: user } = await get(`/operator/users/${explained.token.sub}`);
    const named = {
      client_name: names.client,
      sub_name: user.name,
      organizations: [demo().organization_id],
      organization_names: [names.organization],
    };
    expect(explained.token).toMatchObject(named);
    const { body: ofGrant } = await get(`/operator/grants/${explained.token.grant_id}/tokens`);
    expect(ofGrant.items[0]).toMatchObject(named);
    for (const path of [`users/${explained.token.sub}`, `clients/${demo().client_id}`]) {
      const { body } = await get(`/operator/${path}/grants`);
      expect(body.items[0]).toMatchObject({
        client_name: names.client,
        user_id: explained.token.sub,
        user_name: user.name,
        organization_names: [names.organization],
      });
    }
  });

  it('[console] stand beside the organization and the maker of webhook endpoints and events', async () => {
    const names = await demoNames();
    const subscribed = await endpoint({ events: ['product.created'] });
    await createProduct();
    await attempted(subscribed, 1);
    const ofOrganization = `/operator/organizations/${demo().organization_id}/webhooks/endpoints`;
    for (const path of ['/operator/webhooks/endpoints', ofOrganization]) {
      const { body } = await get(path);
      expect(body.items.find(({ id }: { id: string }) => id === subscribed.id)).toMatchObject({
        organization_name: names.organization,
        created_by: {
          client_id: demo().client_id,
          client_name: names.client,
          user_id: null,
          user_name: null,
        },
      });
    }
    const { body: events } = await get(`/operator/webhooks/events?endpoint_id=${subscribed.id}`);
    const named = {
      organization_name: names.organization,
      endpoint_url: `http://127.0.0.1:${subscribed.receiver.port}/hook`,
    };
    expect(events.items).toMatchObject([named]);
    const { id } = events.items[0];
    expect((await get(`/operator/webhooks/events/${id}`)).body).toMatchObject(named);
    const again = `/operator/organizations/${demo().organization_id}/webhooks/events/${id}/redeliver`;
    expect((await post(again)).body).toMatchObject(named);
  });

  it('[console] stand beside what audit entries concern, and are null once that is gone', async () => {
    const made = await operator.createClient({ name: 'Short-lived' });
    const { body: user } = await post('/operator/users', {
      name: 'Kim Doe',
      email: 'kim@example.com',
      password: 'correct horse battery staple',
    });
    await post(`/operator/organizations/${made.organization_id}/members`, { user_id: user.id });
    const entries = async () =>
      (await get(`/operator/audit?organization_id=${made.organization_id}`)).body.items;
    const [added, created] = await entries();
    expect(added).toMatchObject({ user_name: 'Kim Doe', organization_name: 'Clients', client_name: null });
    expect(created).toMatchObject({
      client_name: 'Short-lived',
      organization_name: 'Clients',
      user_name: null,
    });
    await ask('DELETE', `/operator/users/${user.id}`);
    await ask('DELETE', `/operator/organizations/${made.organization_id}`);
    const gone = (await entries()).find(({ action }: { action: string }) => action === 'member.added');
    expect(gone).toMatchObject({ user_id: user.id, user_name: null, organization_name: null });
  });

  it('[console] stand beside organizations in usage, and beside endpoints that a release moves', async () => {
    const names = await demoNames();
    await call('GET', '/v1/products/', undefined, current);
    for (const group of ['organization', 'client']) {
      const { body } = await get(`/operator/usage?group=${group}`);
      const row = body.items.find(
        (item: { organization_id: string }) => item.organization_id === demo().organization_id,
      );
      expect(row).toMatchObject({ organization_name: names.organization });
    }
    const moving = await call('POST', '/v1/webhooks/endpoints', {
      url: 'http://127.0.0.1:9/moves',
      format: 'raw',
      events: ['*'],
      api_version: deprecated,
    });
    expect(moving.status).toBe(201);
    const { body: plan } = await get('/operator/release');
    expect(plan.endpoints_moving).toMatchObject([
      {
        endpoint_id: moving.body.id,
        endpoint_url: 'http://127.0.0.1:9/moves',
        organization_name: names.organization,
      },
    ]);
    await call('DELETE', `/v1/webhooks/endpoints/${moving.body.id}`);
  });

  it('[console] stand beside the client of a leaked secret', async () => {
    const made = await operator.createClient({ name: 'Careless' });
    const { body } = await post('/operator/leaks', { tokens: [made.client_secret], source: 'a paste' });
    expect(body.results).toMatchObject([{ client_id: made.id, client_name: 'Careless' }]);
  });
});

const namedClient = ({ client_id: id, client_name: name }: Record<string, string | null>) => `${id} ${name}`;
