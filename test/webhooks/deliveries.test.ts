import { expect, it } from 'vitest';
import { statement } from '../../src/storage/statement.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { current, deprecated, maintained, next } from '../support/service/build-versions.ts';
import { useDeliveries, verified } from '../support/webhooks/deliveries.ts';

const failing = (_request: unknown, response: { writeHead(status: number): { end(): void } }): void =>
  void response.writeHead(500).end();

onPostgresFirst('a delivery', (engine) => {
  const { service, call, endpoint, createProduct, received, events, attempts, attempted, settled } =
    useDeliveries(engine);

  it('[webhooks 1] verifies with the unmodified library when first sent, retried and redelivered', async () => {
    let answers = 0;
    const subscribed = await endpoint({}, (_request, response) => {
      answers += 1;
      response.writeHead(answers === 1 ? 503 : 200).end();
    });
    const product = await createProduct();
    await attempted(subscribed, 1);
    service.clock.advanceSeconds(10);
    const { id } = await settled(subscribed, 'delivered');
    expect((await call('POST', `/v1/webhooks/events/${id}/redeliver`)).status).toBe(202);
    for (const request of await received(subscribed, 3))
      expect(verified(request, subscribed.secret)).toMatchObject({
        type: 'product.created',
        data: { id: product.id },
      });
  });

  it('[versions 84] carries webhook-api-version, equal to the api_version of its body and to the pin', async () => {
    for (const version of maintained) {
      const subscribed = await endpoint({ api_version: version, events: ['product.created'] });
      await createProduct();
      const [request] = await received(subscribed, 1);
      expect(request?.headers['webhook-api-version']).toBe(version);
      expect(verified(request as never, subscribed.secret).api_version).toBe(version);
      expect(request?.headers.deprecation !== undefined).toBe(version === deprecated);
      expect(request?.headers.sunset !== undefined).toBe(version === deprecated);
      await call('DELETE', `/v1/webhooks/endpoints/${subscribed.id}`);
    }
  });

  it('[webhooks 4] that is retried has the same id and bytes, a new timestamp and a valid signature', async () => {
    const subscribed = await endpoint({ events: ['product.created'] }, failing as never);
    await createProduct();
    await attempted(subscribed, 1);
    for (const [index, seconds] of [10, 100, 400].entries()) {
      service.clock.advanceSeconds(seconds);
      await attempted(subscribed, index + 2);
    }
    const [first, ...retries] = subscribed.receiver.requests;
    for (const retry of retries) {
      expect(retry.headers['webhook-id']).toBe(first?.headers['webhook-id']);
      expect(retry.body.equals(first?.body as Buffer)).toBe(true);
      verified(retry, subscribed.secret);
    }
    const timestamps = subscribed.receiver.requests.map(({ headers }) =>
      Number(headers['webhook-timestamp']),
    );
    expect([...new Set(timestamps)].sort((one, other) => one - other)).toEqual(timestamps);
  });

  it('[webhooks 2] is signed by both secrets during the overlap, and by the new one alone after it', async () => {
    const subscribed = await endpoint({ events: ['product.created'] });
    const { body: rotated } = await call('POST', `/v1/webhooks/endpoints/${subscribed.id}/rotate-secret`, {
      overlap_seconds: 3600,
    });
    await createProduct();
    const [during] = await received(subscribed, 1);
    verified(during as never, subscribed.secret);
    verified(during as never, rotated.secret);
    service.clock.advanceSeconds(3600);
    await createProduct();
    const [, after] = await received(subscribed, 2);
    verified(after as never, rotated.secret);
    expect(() => verified(after as never, subscribed.secret)).toThrow('No matching signature');
  });

  it('[webhooks 3] signs the bytes that it sends, whatever characters they encode', async () => {
    const subscribed = await endpoint({ events: ['product.created'] });
    const name = 'line\u2028end 🙂 ünï \ud800 tail';
    await createProduct({ name });
    const [request] = await received(subscribed, 1);
    const { data } = verified(request as never, subscribed.secret);
    expect(data.name).toContain('line\u2028end 🙂 ünï');
    expect((await call('POST', '/v1/products/', { name: 'nul\u0000', billing: 'recurring' })).status).toBe(
      422,
    );
  });

  it('[webhooks 9] [versions 85] keeps its version when the pin is changed between two attempts; later events have the new one', async () => {
    const subscribed = await endpoint(
      { api_version: deprecated, events: ['product.created'] },
      failing as never,
    );
    await createProduct();
    await attempted(subscribed, 1);
    const [first] = subscribed.receiver.requests;
    await call('PATCH', `/v1/webhooks/endpoints/${subscribed.id}`, { api_version: next });
    service.clock.advanceSeconds(10);
    const [, second] = await received(subscribed, 2);
    expect(second?.body.equals(first?.body as Buffer)).toBe(true);
    expect(second?.headers['webhook-api-version']).toBe(deprecated);
    await createProduct({ name: 'Later plan' });
    await expect
      .poll(() => subscribed.receiver.requests.map(({ headers }) => headers['webhook-api-version']))
      .toContain(next);
    const later = subscribed.receiver.requests.find(({ headers }) => headers['webhook-api-version'] === next);
    expect(verified(later as never, subscribed.secret)).toMatchObject({
      api_version: next,
      data: { name: 'Later plan' },
    });
  });

  it('[versions 86] that is redelivered has the same bytes, with a new timestamp and signature', async () => {
    const subscribed = await endpoint({ events: ['product.created'] });
    await createProduct();
    const { id } = await settled(subscribed, 'delivered');
    service.clock.advanceSeconds(7200);
    await call('POST', `/v1/webhooks/events/${id}/redeliver`);
    const [first, second] = await received(subscribed, 2);
    expect(second?.body.equals(first?.body as Buffer)).toBe(true);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
    expect(second?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature']);
    verified(second as never, subscribed.secret);
  });

  it('[webhooks 32] is retried after any failure, on schedule, never twice at a time', async () => {
    let inFlight = 0;
    let most = 0;
    const subscribed = await endpoint({ events: ['product.created'] }, (_request, response) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      setTimeout(() => {
        inFlight -= 1;
        response.writeHead(404).end('not yet');
      }, 50);
    });
    await createProduct();
    const event = await attempted(subscribed, 1);
    const waitMs = Date.parse(event.next_attempt_at) - service.clock.now().getTime();
    expect(waitMs).toBeGreaterThanOrEqual(5_000);
    expect(waitMs).toBeLessThanOrEqual(6_000);
    for (const seconds of [6, 72, 360, 2160, 8640, 21_600, 43_200, 103_680]) {
      const before = subscribed.receiver.requests.length;
      service.clock.advanceSeconds(seconds);
      await attempted(subscribed, before + 1);
    }
    expect(most).toBe(1);
    const last = await settled(subscribed, 'exhausted');
    expect(last).toMatchObject({ attempt_count: 9, next_attempt_at: null });
    const made = await attempts(last.id);
    expect(made).toHaveLength(9);
    expect(made[0]).toMatchObject({ status: 404, error: 'status', answer: 'not yet' });
  });

  it('[webhooks 35] is exhausted when all attempts have failed, and that is logged once', async () => {
    const exhausted = async (): Promise<number> => {
      const text = await (await service.call('sandbox', '/metrics')).text();
      const lines = text
        .split('\n')
        .filter((line) => /^dateline_webhook_attempts_total\{.*exhausted/.test(line));
      return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    };
    const before = await exhausted();
    const subscribed = await endpoint({ events: ['product.created'] }, failing as never);
    await createProduct();
    await attempted(subscribed, 1);
    for (let attempt = 2; attempt <= 9; attempt += 1) {
      service.clock.advanceSeconds(104_000);
      await attempted(subscribed, attempt);
    }
    await settled(subscribed, 'exhausted');
    expect(await exhausted()).toBe(before + 1);
    expect(
      service.logLines.filter((line) => line.includes('event exhausted') && line.includes(subscribed.id)),
    ).toHaveLength(1);
  });

  it('[webhooks 34] answered 410 disables its endpoint; answered 429 pauses it for as long as Retry-After says', async () => {
    const gone = await endpoint({ events: ['product.created'] }, (_request, response) =>
      response.writeHead(410).end(),
    );
    const busy = await endpoint({ events: ['product.created'] }, (_request, response) =>
      response.writeHead(429, { 'retry-after': '1' }).end(),
    );
    await createProduct();
    await settled(gone, 'held');
    expect((await call('GET', `/v1/webhooks/endpoints/${gone.id}`)).body).toMatchObject({
      enabled: false,
      disabled_reason: 'gone',
    });
    await attempted(busy, 1);
    const other = await endpoint({ events: ['product.created'] });
    await createProduct();
    await received(other, 1);
    expect(busy.receiver.requests).toHaveLength(1);
    service.clock.advanceSeconds(1);
    await received(busy, 2);
  });

  it('[webhooks 36] that is redelivered while a retry is pending is sent once, and the schedule restarts', async () => {
    const subscribed = await endpoint({ events: ['product.created'] }, failing as never);
    await createProduct();
    await attempted(subscribed, 1);
    service.clock.advanceSeconds(10);
    const { id } = await attempted(subscribed, 2);
    expect((await call('POST', `/v1/webhooks/events/${id}/redeliver`)).status).toBe(202);
    const event = await attempted(subscribed, 3);
    // The third attempt of the schedule would come a minute later; the first retry of a new one comes in seconds.
    const waitMs = Date.parse(event.next_attempt_at) - service.clock.now().getTime();
    expect(waitMs).toBeLessThanOrEqual(6_000);
    expect(subscribed.receiver.requests).toHaveLength(3);
  });

  it('[webhooks 36] that is redelivered during its last attempt is not exhausted by that one', async () => {
    let answer: (() => void) | undefined;
    const subscribed = await endpoint({ events: ['product.created'] }, (_request, response) => {
      answer = () => response.writeHead(500).end();
    });
    await createProduct();
    await received(subscribed, 1);
    const { id } = (await events(subscribed))[0];
    const database = await service.database('sandbox');
    answer?.();
    await attempted(subscribed, 1);
    // As if all attempts but one had failed: the one that begins now is the last.
    const last = statement('last_try', 'update {schema}.webhook_events set tries = 8 where id = $1');
    await database.run(last, [id]);
    service.clock.advanceSeconds(10);
    await received(subscribed, 2);
    expect((await call('POST', `/v1/webhooks/events/${id}/redeliver`)).status).toBe(202);
    answer?.();
    await received(subscribed, 3);
    answer?.();
    expect(await attempted(subscribed, 3)).toMatchObject({ state: 'pending' });
  });

  it('[webhooks 37] in flight when its endpoint is disabled may end; later events are held and can be recovered', async () => {
    let finish: (() => void) | undefined;
    const subscribed = await endpoint({ events: ['product.created'] }, (_request, response) => {
      if (finish === undefined) finish = () => void response.end('ok');
      else response.end('ok');
    });
    await createProduct();
    await received(subscribed, 1);
    await call('PATCH', `/v1/webhooks/endpoints/${subscribed.id}`, { enabled: false });
    finish?.();
    await settled(subscribed, 'delivered');
    await createProduct({ name: 'Held plan' });
    expect((await events(subscribed)).map(({ state }) => state)).toEqual(['delivered', 'held']);
    const since = new Date(service.clock.now().getTime() - 60_000).toISOString();
    const recover = () => call('POST', `/v1/webhooks/endpoints/${subscribed.id}/recover`, { since });
    expect((await recover()).status).toBe(409);
    await call('PATCH', `/v1/webhooks/endpoints/${subscribed.id}`, { enabled: true });
    expect((await events(subscribed)).map(({ state }) => state)).toEqual(['delivered', 'held']);
    expect((await recover()).status).toBe(202);
    await received(subscribed, 2);
    await expect
      .poll(async () => (await events(subscribed)).map(({ state }) => state))
      .toEqual(['delivered', 'delivered']);
  });

  it('[webhooks 49] starts in the order of events; only retries may overtake', async () => {
    const subscribed = await endpoint({ events: ['product.created'], max_per_second: 100 });
    const names = Array.from({ length: 20 }, (_, index) => `Plan number ${String(index).padStart(2, '0')}`);
    for (const name of names) await createProduct({ name });
    await received(subscribed, names.length);
    const ids = (await events(subscribed)).map(({ id }) => id);
    const started = (
      await Promise.all(ids.map(async (id) => ({ id, at: (await attempts(id))[0]?.id as string })))
    ).sort((one, other) => (one.at < other.at ? -1 : 1));
    expect(started.map(({ id }) => id)).toEqual(ids);
  });

  it('[webhooks 12] has one version in header and body, however it is triggered', async () => {
    const subscribed = await endpoint({ api_version: deprecated, events: ['product.created'] });
    await createProduct();
    const { id } = await settled(subscribed, 'delivered');
    await call('PATCH', `/v1/webhooks/endpoints/${subscribed.id}`, { api_version: current });
    await call('POST', `/v1/webhooks/events/${id}/redeliver`);
    await call('POST', `/v1/webhooks/endpoints/${subscribed.id}/test`, {
      type: 'product.updated',
      api_version: next,
    });
    await call('POST', `/v1/webhooks/endpoints/${subscribed.id}/test`, { type: 'product.updated' });
    const requests = await received(subscribed, 4);
    for (const request of requests)
      expect(verified(request, subscribed.secret).api_version).toBe(request.headers['webhook-api-version']);
    expect(requests.map(({ headers }) => headers['webhook-api-version']).sort()).toEqual(
      [deprecated, deprecated, current, next].sort(),
    );
  });

  it('[webhooks 46] goes no faster than its endpoint allows', async () => {
    const subscribed = await endpoint({ events: ['product.created'], max_per_second: 10 });
    for (let count = 0; count < 15; count += 1) await createProduct();
    await received(subscribed, 15);
    const times = subscribed.receiver.requests.map(({ atMs }) => atMs);
    const windows = times.map(
      (start) => times.filter((time) => time >= start && time < start + 1_000).length,
    );
    expect(Math.max(...windows)).toBeLessThanOrEqual(12);
  });
});
