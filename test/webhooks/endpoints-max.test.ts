import { expect, it } from 'vitest';
import { onPostgresFirst } from '../support/database/databases.ts';
import { maintained, next } from '../support/service/build-versions.ts';
import { createCaller } from '../support/service/service-environment.ts';
import { useTestService } from '../support/service/test-service.ts';
import { callAs } from '../support/webhooks/deliveries.ts';
import { ENDPOINTS, newEndpoint } from '../support/webhooks/webhooks.ts';

onPostgresFirst('the webhook endpoints of one organization', (engine) => {
  const service = useTestService(engine, { DATELINE_WEBHOOK_ENDPOINTS_MAX: '3' });

  it('[outside 11] are as many as the setting says, also when several are made at once: more is 422', async () => {
    const [full, other] = [await createCaller(service), await createCaller(service)];
    const create = ({ access }: typeof full, version: string = next) =>
      callAs(service, access.tokenValue, { method: 'POST', path: ENDPOINTS, sent: newEndpoint, version });
    const made = await Promise.all(Array.from({ length: 8 }, () => create(full)));
    expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 201, 422, 422, 422, 422, 422]);
    for (const version of maintained) {
      const { status, body } = await create(full, version);
      expect(status).toBe(422);
      expect(body.detail).toBe(
        'This organization has 3 webhook endpoints or more, and may have no more; delete one first.',
      );
    }
    expect((await create(other)).status).toBe(201);
    const { id } = made.find(({ status }) => status === 201)?.body ?? {};
    const path = `${ENDPOINTS}/${id}`;
    expect((await callAs(service, full.access.tokenValue, { method: 'DELETE', path })).status).toBe(204);
    expect((await create(full)).status).toBe(201);
  });
});
