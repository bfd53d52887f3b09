import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { api } from '../support/contracts/products.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { itInLongRuns } from '../support/run/in-long-runs.ts';
import {
  afterNext,
  current,
  deprecated,
  maintained,
  next,
  versionsBefore,
  versionsSince,
} from '../support/service/build-versions.ts';
import { type Body, useDeliveries, verified } from '../support/webhooks/deliveries.ts';

onPostgresFirst('a release', (engine) => {
  const { service, call, endpoint, createProduct, received, events, attempted, settled } =
    useDeliveries(engine);

  async function decide(action: 'run' | 'undo'): Promise<void> {
    const decided = await service.operate('sandbox', `/operator/release/${action}`, {
      method: 'POST',
      body: {},
    });
    expect(decided.status).toBe(202);
    service.clock.advanceSeconds(5);
    const wanted = action === 'run' ? next : current;
    await expect
      .poll(async () => ((await (await service.call('sandbox', '/versions')).json()) as Body).current)
      .toBe(wanted);
  }

  it('[webhooks 10] [versions 88] keeps the bytes and the version of events: after a change of pin, after it, and after their version is removed', async () => {
    const subscribed = await endpoint({ api_version: deprecated, events: ['product.created'] });
    await createProduct();
    const { id } = await settled(subscribed, 'delivered');
    const redeliver = async (count: number) => {
      expect((await call('POST', `/v1/webhooks/events/${id}/redeliver`)).status).toBe(202);
      return (await received(subscribed, count)).at(-1);
    };
    const [first] = subscribed.receiver.requests;
    await call('PATCH', `/v1/webhooks/endpoints/${subscribed.id}`, { api_version: next });
    const changed = await redeliver(2);
    await decide('run');
    const after = await redeliver(3);
    for (const request of [changed, after]) {
      expect(request?.headers['webhook-api-version']).toBe(deprecated);
      expect(request?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
      expect(request?.body.equals(first?.body as Buffer)).toBe(true);
      verified(request as never, subscribed.secret);
    }
    await decide('undo');
  });

  it('[versions 87] moves endpoints whose version is removed and notifies their owner once; its undo restores them', async () => {
    const old = await endpoint({ api_version: deprecated, events: ['product.created'] });
    const owner = await endpoint({ events: ['webhook_endpoint.version_moved', 'api_version.released'] });
    const plan = (await (await service.operate('sandbox', '/operator/release')).json()) as Body;
    expect(plan.endpoints_moving).toContainEqual(
      expect.objectContaining({ endpoint_id: old.id, pinned_version: deprecated, becomes: current }),
    );
    await decide('run');
    expect((await call('GET', `/v1/webhooks/endpoints/${old.id}`)).body).toMatchObject({
      api_version: current,
      pinned_version: deprecated,
    });
    await createProduct({}, current);
    const [request] = await received(old, 1);
    expect(request?.headers['webhook-api-version']).toBe(current);
    expect(verified(request as never, old.secret).api_version).toBe(current);
    const sent = (await received(owner, 2)).map((one) => verified(one, owner.secret));
    const moved = sent.filter(
      ({ type, data }) => type === 'webhook_endpoint.version_moved' && data.endpoint_id === old.id,
    );
    expect(moved.map(({ data }) => data)).toEqual([
      expect.objectContaining({ pinned_version: deprecated, api_version: current, released_version: next }),
    ]);
    expect(sent.filter(({ type }) => type === 'api_version.released')).toHaveLength(1);
    await decide('undo');
    expect((await call('GET', `/v1/webhooks/endpoints/${old.id}`)).body.api_version).toBe(deprecated);
    await createProduct({}, current);
    const [, again] = await received(old, 2);
    expect(again?.headers['webhook-api-version']).toBe(deprecated);
    expect(owner.receiver.requests).toHaveLength(2);
  });

  itInLongRuns(
    '[outside 13] is announced to endpoints of Next as the rehearsal it is, and so is its undo',
    async () => {
      const kinds = ['api_version.released', 'api_version.release_undone'];
      const newer = await endpoint({ api_version: next, events: kinds });
      const older = await endpoint({ api_version: current, events: ['api_version.*'] });
      await decide('run');
      const [released] = await received(newer, 1);
      expect(verified(released as never, newer.secret)).toMatchObject({
        type: 'api_version.released',
        data: { version: next, rehearsal: true },
      });
      await decide('undo');
      const [, undone] = await received(newer, 2);
      expect(verified(undone as never, newer.secret)).toMatchObject({
        type: 'api_version.release_undone',
        data: { version: next, current_version: current, deprecated_version: deprecated, rehearsal: true },
      });
      const [inOlder] = await received(older, 1);
      expect(verified(inOlder as never, older.secret).data).not.toHaveProperty('rehearsal');
    },
  );

  it('[webhooks 14] between two attempts does not change the second', async () => {
    let broken = true;
    const subscribed = await endpoint(
      { api_version: deprecated, events: ['product.created'] },
      (_request, response) => response.writeHead(broken ? 500 : 200).end(),
    );
    await createProduct();
    await attempted(subscribed, 1);
    await decide('run');
    broken = false;
    service.clock.advanceSeconds(10);
    await settled(subscribed, 'delivered');
    const [first, second] = subscribed.receiver.requests;
    expect(second?.body.equals(first?.body as Buffer)).toBe(true);
    expect(second?.headers['webhook-api-version']).toBe(deprecated);
    await decide('undo');
  });

  it('[webhooks 11] publishes one occurrence in three shapes, each valid in its own version', async () => {
    const pins = maintained;
    const endpoints = [];
    for (const api_version of pins)
      endpoints.push(await endpoint({ api_version, events: ['product.created'] }));
    await createProduct();
    const bodies = [];
    for (const one of endpoints) {
      const [request] = await received(one, 1);
      bodies.push(verified(request as never, one.secret));
    }
    for (const [index, body] of bodies.entries())
      for (const [other, version] of pins.entries()) {
        const findings = api.get(version)?.validateEvent.get('product.created')?.(body) ?? [];
        expect(findings.length === 0, `${pins[index]} in ${version}`).toBe(other === index);
      }
    const occurrences = await Promise.all(
      endpoints.map(async (one) => (await events(one))[0]?.occurrence_id),
    );
    expect(new Set(occurrences).size).toBe(1);
  });

  it('[versions 92] or a change of pin that races with an event keeps header and body consistent', async () => {
    const subscribed = await endpoint({ api_version: deprecated, events: ['product.created'] });
    const versions = [current, next, deprecated];
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        index % 2 === 0
          ? createProduct({ name: `Plan ${index}` })
          : call('PATCH', `/v1/webhooks/endpoints/${subscribed.id}`, { api_version: versions[index % 3] }),
      ),
    );
    for (const request of await received(subscribed, 6))
      expect(verified(request, subscribed.secret).api_version).toBe(request.headers['webhook-api-version']);
  });

  it('[versions 81] can be pinned ahead of: every maintained version is accepted, the one after next is not', async () => {
    for (const api_version of maintained) {
      const { id } = await endpoint({ api_version });
      expect((await call('GET', `/v1/webhooks/endpoints/${id}`)).body).toMatchObject({
        api_version,
        pinned_version: api_version,
      });
    }
    const refused = await call('POST', '/v1/webhooks/endpoints', {
      url: 'http://127.0.0.1:9/',
      format: 'raw',
      events: ['*'],
      api_version: afterNext,
    });
    expect(refused.status).toBe(422);
  });

  const orderTest = (one: { id: string }) =>
    call('POST', `/v1/webhooks/endpoints/${one.id}/test`, { type: 'product.created' }, next);

  it.each(versionsSince('2027-01'))(
    '[outside 23] marks what was ordered as a test in %s',
    async (version) => {
      const pinned = await endpoint({ api_version: version, events: ['product.created'] });
      const ordered = await orderTest(pinned);
      expect([ordered.status, ordered.body.test]).toEqual([202, true]);
      const [marked] = await received(pinned, 1);
      expect(verified(marked as never, pinned.secret)).toMatchObject({ type: 'product.created', test: true });
      await createProduct({}, current);
      const [, real] = await received(pinned, 2);
      expect(verified(real as never, pinned.secret)).not.toHaveProperty('test');
      const listed = await call('GET', `/v1/webhooks/events?endpoint_id=${pinned.id}`, undefined, version);
      expect(listed.body.items.map((event: Body) => event.test)).toEqual([false, true]);
    },
  );

  it.each(versionsBefore('2027-01'))(
    '[outside 23] marks no test in %s, which promised none',
    async (version) => {
      const pinned = await endpoint({ api_version: version, events: ['product.created'] });
      const ordered = await orderTest(pinned);
      const shown = await call('GET', `/v1/webhooks/events/${ordered.body.id}`, undefined, version);
      expect(shown.body).not.toHaveProperty('test');
      const [unmarked] = await received(pinned, 1);
      expect(verified(unmarked as never, pinned.secret)).not.toHaveProperty('test');
    },
  );

  it('[webhooks 16] keeps the recorded bytes of frozen versions', async () => {
    const digests: Record<string, string> = {};
    for (const version of [deprecated, current])
      for (const { kind, example } of api.get(version)?.contract.events ?? [])
        digests[`${version} ${kind}`] = createHash('sha256').update(JSON.stringify(example)).digest('hex');
    expect(Object.keys(digests).length).toBeGreaterThan(20);
    const subscribed = await endpoint({ api_version: deprecated, events: ['*'] });
    for (const { kind } of api.get(deprecated)?.contract.events ?? []) {
      const before = subscribed.receiver.requests.length;
      await call('POST', `/v1/webhooks/endpoints/${subscribed.id}/test`, { type: kind });
      const [sent] = (await received(subscribed, before + 1)).slice(-1);
      // The mark of a test, since 2027-01, is not in the example.
      const { test: _mark, ...body } = verified(sent as never, subscribed.secret) as Body;
      const frozen = { ...body, timestamp: '2026-11-15T12:00:00.000Z' };
      expect(createHash('sha256').update(JSON.stringify(frozen)).digest('hex')).toBe(
        digests[`${deprecated} ${kind}`],
      );
    }
  });
});
