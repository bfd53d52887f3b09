import { expect, it } from 'vitest';
import { onPostgresFirst } from '../support/database/databases.ts';
import { current, deprecated, next } from '../support/service/build-versions.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { useDeliveries } from '../support/webhooks/deliveries.ts';

onPostgresFirst('filters by version and time in the operator API', (engine) => {
  const { service, call, endpoint, createProduct } = useDeliveries(engine);
  const { get } = operatorCalls(service);

  /** The time of the service, after which a minute passes. */
  function aMinute(): string {
    const now = service.clock.now().toISOString();
    service.clock.advanceSeconds(60);
    return now;
  }

  const fail = async (version: string | undefined, status = 422) =>
    expect((await call('GET', '/v1/products/?limit=5000', undefined, version)).status).toBe(status);

  it('[console] find failed requests, and count them, by version, requested version and time', async () => {
    await fail(deprecated);
    service.clock.advanceSeconds(60);
    const since = aMinute();
    await fail(current);
    await fail(undefined);
    await fail('2026-04', 404);
    service.clock.advanceSeconds(60);
    const until = aMinute();
    for (let count = 0; count < 2; count += 1) await fail(next);
    const found = async (query: string) => {
      const { body } = await get(`/operator/failed-requests?${query}`);
      const { body: groups } = await get(`/operator/failed-requests/groups?${query}`);
      const counted = groups.items.reduce((sum: number, one: { requests: number }) => sum + one.requests, 0);
      expect(counted).toBe(body.items.length);
      return body.items.map((item: Record<string, string>) => item.requested_version ?? 'none').toSorted();
    };
    expect(await found('')).toEqual(['2026-04', deprecated, current, next, next, 'none']);
    expect(await found(`since=${since}`)).toEqual(['2026-04', current, next, next, 'none']);
    expect(await found(`until=${since}`)).toEqual([deprecated]);
    expect(await found(`since=${since}&until=${until}`)).toEqual(['2026-04', current, 'none']);
    expect(await found(`since=${since}&until=${until}&version=${current}`)).toHaveLength(3);
    expect(await found('requested_version=2026-04')).toEqual(['2026-04']);
    expect(await found(`requested_version=2026-04&until=${since}`)).toEqual([]);
    const { body: newest } = await get('/operator/failed-requests?limit=1');
    const { body: first } = await get(`/operator/failed-requests?since=${since}&until=${until}&limit=2`);
    expect(first.items).toHaveLength(2);
    const after = (cursor: string) =>
      get(`/operator/failed-requests?since=${since}&until=${until}&cursor=${cursor}`);
    const { body: last } = await after(first.pagination.next_cursor);
    expect(last).toMatchObject({ items: [{ version: current }], pagination: { next_cursor: null } });
    // A cursor leads no further than the filters.
    expect((await after(newest.pagination.next_cursor)).body.items).toHaveLength(3);
  });

  it('[console] find webhook events by version, state and time, of all, of an organization and of an endpoint', async () => {
    const older = await endpoint({ events: ['product.created'], api_version: deprecated });
    const newer = await endpoint({ events: ['product.created'], api_version: next });
    await createProduct();
    service.clock.advanceSeconds(60);
    const since = aMinute();
    await createProduct();
    service.clock.advanceSeconds(60);
    const until = aMinute();
    await createProduct();
    const { organization_id: organization } = service.quickstart.sandbox;
    const count = async (query: string) =>
      (await get(`/operator/webhooks/events?${query}`)).body.items.length;
    const delivered = async () => count('state=delivered');
    await expect.poll(delivered).toBe(6);
    const period = `since=${since}&until=${until}`;
    const reaches = { '': 2, [`&organization_id=${organization}`]: 2, [`&endpoint_id=${older.id}`]: 1 };
    for (const [reach, events] of Object.entries(reaches)) {
      for (const more of ['', '&state=delivered', reach === '' ? '' : '&type=product.created'])
        expect([reach, more, await count(period + reach + more)]).toEqual([reach, more, events]);
      expect(await count(`since=${since}${reach}`)).toBe(2 * events);
      expect(await count(`until=${since}${reach}`)).toBe(events);
      for (const state of ['pending', 'exhausted', 'held', 'cancelled'])
        expect(await count(`${period}&state=${state}${reach}`)).toBe(0);
      expect(await count(`${period}&api_version=${deprecated}${reach}`)).toBe(1);
      expect(await count(`${period}&api_version=${deprecated}&state=delivered${reach}`)).toBe(1);
      expect(await count(`${period}&api_version=${current}${reach}`)).toBe(0);
    }
    expect(await count(`api_version=${next}&endpoint_id=${newer.id}`)).toBe(3);
  });

  it('[console] find webhook endpoints by the version of their events', async () => {
    const made = await endpoint({ api_version: deprecated });
    await endpoint({ api_version: current });
    const found = async (version: string) =>
      (await get(`/operator/webhooks/endpoints?api_version=${version}`)).body.items;
    expect(await found(deprecated)).toMatchObject([{ id: made.id, api_version: deprecated }]);
    expect(await found(current)).toMatchObject([{ api_version: current }]);
    expect(await found(next)).toEqual([]);
  });

  it('[console] say what is wrong with a filter, and what to do', async () => {
    const refused = async (path: string) => {
      const { status, body } = await get(path);
      expect(status).toBe(422);
      return body.detail;
    };
    const lists = ['failed-requests', 'failed-requests/groups', 'webhooks/events', 'audit'];
    for (const list of lists) {
      expect(await refused(`/operator/${list}?since=yesterday`)).toBe(
        'since must be a time, such as 2027-01-06T17:00:00Z.',
      );
      expect(await refused(`/operator/${list}?until=2027-02-31`)).toContain('until must be a time');
    }
    for (const list of lists.slice(0, 3))
      expect(await refused(`/operator/${list}?since=2027-01-06T17:00:00Z&until=2027-01-05T17:00:00Z`)).toBe(
        'since must lie before until.',
      );
    expect(await refused('/operator/failed-requests/groups?since=2027-01-06T17:00:00Z&days=3')).toBe(
      'Give either since or days, not both.',
    );
    expect(await refused('/operator/webhooks/events?type=product.created')).toBe(
      'A type needs an organization_id or an endpoint_id beside it.',
    );
    const served = `api_version must be one of ${[deprecated, current, next].join(', ')}.`;
    expect(await refused('/operator/webhooks/endpoints?api_version=1999-01')).toBe(served);
    for (const since of ['', '&since=1970-01-01T00:00:00Z'])
      expect(await refused(`/operator/webhooks/events?api_version=${current}${since}`)).toBe(
        'An api_version needs an organization_id, an endpoint_id or a since of the last 31 days beside it.',
      );
  });
});
