import { expect, it } from 'vitest';
import { createFailureLog, failureChore, ROWS_MAX } from '../../src/usage/failures/keep-failures.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { answered } from '../support/run/answered.ts';
import { current, next } from '../support/service/build-versions.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { serviceEnvironment } from '../support/service/service-environment.ts';
import { useTestService } from '../support/service/test-service.ts';

onPostgresFirst('failed requests', (engine) => {
  const service = useTestService(engine);
  const calls = () => operatorCalls(service);

  async function fail(version: string, path: string, token = service.quickstart.sandbox.access_token) {
    const response = await service.call('sandbox', path, {
      headers: { authorization: `Bearer ${token}`, 'service-version': version },
    });
    await response.text();
    const requestId = response.headers.get('x-request-id') as string;
    return answered({ status: response.status, requestId }, response.url);
  }

  it('[console] are found by their request id, with who asked for what, and nothing of what was sent', async () => {
    const { client_id: clientId, access_token: token } = service.quickstart.sandbox;
    const { status, requestId } = await fail(next, '/v1/products/prd_absent?cursor=secret-in-an-address');
    const { body, text } = await calls().get(`/operator/failed-requests?request_id=${requestId}`);
    expect(body.items).toEqual([
      {
        id: expect.stringMatching(/^frq_/),
        request_id: requestId,
        at: expect.any(String),
        client_id: clientId,
        client_name: 'Demo client',
        operation: 'products:read',
        method: 'GET',
        route: expect.stringMatching(/^\/v1\/products\/:/),
        version: next,
        requested_version: next,
        status,
        code: expect.any(String),
        duration_ms: expect.any(Number),
      },
    ]);
    for (const secret of [token, 'secret-in-an-address', 'prd_absent']) expect(text).not.toContain(secret);
  });

  it('[console] are grouped by client, operation, version and code, most frequent first', async () => {
    for (let count = 0; count < 3; count += 1)
      expect((await fail(current, '/v1/products', 'dl_test_at_nonsense')).status).toBe(401);
    const { body } = await calls().get('/operator/failed-requests/groups');
    expect(body.items[0]).toMatchObject({
      client_id: null,
      operation: 'products:list',
      version: current,
      status: 401,
      requests: 3,
    });
    const { client_id: clientId } = service.quickstart.sandbox;
    const ofClient = await calls().get(`/operator/failed-requests/groups?client_id=${clientId}`);
    expect(ofClient.body.items.map((group: { client_id: string }) => group.client_id)).toEqual([clientId]);
  });

  it('[console] are listed under the client that a failed authentication named, if it exists', async () => {
    const { id } = await calls().createClient({ grant_types: ['client_credentials'] });
    const invented = `${id.slice(0, -4)}zzzz`;
    const secret = 'dl_test_cs_wrong';
    const ask = async (
      path: string,
      fields: Record<string, string>,
      headers: Record<string, string> = {},
    ) => {
      const response = await service.call('sandbox', path, {
        method: 'POST',
        headers: { 'service-version': next, ...headers },
        body: new URLSearchParams(fields),
      });
      await response.text();
      expect(response.status).toBe(401);
      return response.headers.get('x-request-id') as string;
    };
    const grant = { grant_type: 'client_credentials' };
    const basic = { authorization: `Basic ${btoa(`${id}:${secret}`)}` };
    const named = [
      await ask('/v1/oauth2/token', { ...grant, client_id: id, client_secret: secret }),
      await ask('/v1/oauth2/token', grant, basic),
      await ask('/v1/oauth2/introspect', { token: 'x', client_id: id, client_secret: secret }),
      await ask('/v1/oauth2/revoke', { token: 'x' }, basic),
    ];
    const unnamed = [
      await ask('/v1/oauth2/token', { ...grant, client_id: invented, client_secret: secret }),
      await ask('/v1/oauth2/token', { ...grant, client_id: 'x'.repeat(300), client_secret: secret }),
    ];
    const listed = await calls().get(`/operator/failed-requests?client_id=${id}`);
    expect(listed.body.items.map((item: { request_id: string }) => item.request_id)).toEqual(named.reverse());
    expect(listed.body.items[0]).toMatchObject({ status: 401, code: 'invalid_client' });
    for (const requestId of unnamed) {
      const { body, text } = await calls().get(`/operator/failed-requests?request_id=${requestId}`);
      expect(body.items).toMatchObject([{ client_id: null, code: 'invalid_client' }]);
      expect(text).not.toContain(invented);
    }
    // Whoever guesses in its name does not use the API for it: usage and risk stay as they are.
    const usage = await calls().get(`/operator/usage?client=${id}`);
    expect(usage.body.items).toEqual([]);
    expect((await calls().get('/operator/usage/at-risk')).text).not.toContain(id);
  });

  it('[console] stay for a week', async () => {
    const { requestId } = await fail(next, '/v1/products/prd_old');
    const isThere = async () =>
      (await calls().get(`/operator/failed-requests?request_id=${requestId}`)).body.items.length === 1;
    expect(await isThere()).toBe(true);
    const environment = await serviceEnvironment(service);
    service.clock.advanceSeconds(8 * 24 * 3600);
    while ((await failureChore.removeSome(environment, environment.clock.now(), null)).more);
    expect(await isThere()).toBe(false);
  });

  it('[console] are held in memory up to a bound, and the rest is counted', () => {
    const log = createFailureLog(2);
    const failure = {
      ...{ requestId: 'req_1', clientId: null, operation: null, method: 'GET', route: 'unmatched' },
      ...{ version: current, requestedVersion: null, status: 404, code: 'not_found', durationMs: 1 },
    };
    for (let count = 0; count < 5; count += 1) log.note(failure, new Date());
    const { failed, dropped } = log.take();
    expect([failed.length, dropped]).toEqual([2, 3]);
    expect(log.take()).toEqual({ failed: [], dropped: 0 });
    expect(ROWS_MAX).toBeGreaterThan(0);
  });
});
