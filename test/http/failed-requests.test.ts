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
        operation: 'products:read',
        method: 'GET',
        route: expect.stringMatching(/^\/v1\/products\/:/),
        version: next,
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
      ...{ version: current, status: 404, code: 'not_found', durationMs: 1 },
    };
    for (let count = 0; count < 5; count += 1) log.note(failure, new Date());
    const { failed, dropped } = log.take();
    expect([failed.length, dropped]).toEqual([2, 3]);
    expect(log.take()).toEqual({ failed: [], dropped: 0 });
    expect(ROWS_MAX).toBeGreaterThan(0);
  });
});
