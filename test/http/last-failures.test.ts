import { expect, it } from 'vitest';
import { onPostgresFirst } from '../support/database/databases.ts';
import { current } from '../support/service/build-versions.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { useDeliveries } from '../support/webhooks/deliveries.ts';
import { unusedPort } from '../support/webhooks/receivers.ts';

onPostgresFirst('the last failure in the lists of operators', (engine) => {
  const { service, call, endpoint, createProduct, attempted, settled } = useDeliveries(engine);
  const { get, createClient } = operatorCalls(service);

  async function lastFailures(id: string) {
    const { body: endpoints } = await get('/operator/webhooks/endpoints');
    const listed = endpoints.items.find((item: { id: string }) => item.id === id);
    expect((await get(`/operator/webhooks/endpoints/${id}`)).body).toEqual(listed);
    const { body: events } = await get(`/operator/webhooks/events?endpoint_id=${id}`);
    return { endpoint: listed.last_failure, event: events.items[0]?.last_failure };
  }

  it('[console] is the last attempt of an endpoint and of an event that failed, with status, class and time', async () => {
    const failing = await endpoint({ events: ['product.created'] }, (_request, response) =>
      response.writeHead(503).end(),
    );
    expect(await lastFailures(failing.id)).toEqual({ endpoint: null, event: undefined });
    await createProduct();
    await attempted(failing, 1);
    const message = '503: It answered with an error';
    const failure = { at: expect.stringMatching(/Z$/), status: 503, error: 'status', message };
    expect(await lastFailures(failing.id)).toEqual({ endpoint: failure, event: failure });
  });

  it('[console] has no status where nothing answered', async () => {
    const url = `http://127.0.0.1:${await unusedPort()}/hook`;
    const refusing = await endpoint({ url, events: ['product.created'] });
    await createProduct();
    await attempted(refusing, 1);
    const message = 'The connection was refused';
    const failure = { at: expect.any(String), status: null, error: 'connection_refused', message };
    expect(await lastFailures(refusing.id)).toEqual({ endpoint: failure, event: failure });
  });

  it('[console] stays after a success, and is none of what never failed', async () => {
    let answers = 0;
    const mended = await endpoint({ events: ['product.created'] }, (_request, response) => {
      answers += 1;
      response.writeHead(answers === 1 ? 500 : 200).end();
    });
    const well = await endpoint({ events: ['product.created'] });
    await createProduct();
    await attempted(mended, 1);
    service.clock.advanceSeconds(3600);
    await settled(mended, 'delivered');
    await settled(well, 'delivered');
    const message = '500: It answered with an error';
    const failure = { at: expect.any(String), status: 500, error: 'status', message };
    expect(await lastFailures(mended.id)).toEqual({ endpoint: failure, event: failure });
    expect(await lastFailures(well.id)).toEqual({ endpoint: null, event: null });
  });

  it('[console] is the last failed request of a client, in the list of clients', async () => {
    const quiet = await createClient();
    for (const limit of [5000, 0])
      expect((await call('GET', `/v1/products/?limit=${limit}`, undefined, current)).status).toBe(422);
    expect((await call('GET', '/v1/products/prd_absent', undefined, current)).status).toBe(404);
    const { body: failed } = await get('/operator/failed-requests');
    const { body } = await get('/operator/clients');
    const lastOf = (wanted: string) =>
      body.items.find(({ id }: { id: string }) => id === wanted).last_failure;
    const { at, operation, status, code } = failed.items[0];
    expect(operation).toBe('products:read');
    expect(lastOf(service.quickstart.sandbox.client_id)).toEqual({ at, operation, status, code });
    expect(lastOf(quiet.id)).toBeNull();
  });
});
