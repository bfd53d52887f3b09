import { beforeAll, expect, it } from 'vitest';
import { onPostgresFirst } from '../support/database/databases.ts';
import { current, homeTime, maintained, next } from '../support/service/build-versions.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { buildWithFolderKinds, orderData } from '../support/webhooks/folder-kinds.ts';
import { useWebhooks } from '../support/webhooks/webhooks.ts';

const DAY_MS = 24 * 3_600_000;

onPostgresFirst('events of an API of one’s own', (engine) => {
  const webhooks = useWebhooks(engine, homeTime, next, { build: buildWithFolderKinds() });
  const { service, endpoint, eventsOf, payloadOf, rows } = webhooks;
  const operator = operatorCalls(service);
  let organization: string;
  beforeAll(() => {
    organization = service.quickstart.sandbox.organization_id;
  });

  const order = (id: string, change: object = {}) => ({
    id,
    type: 'order.created',
    organization_id: organization,
    data: orderData(1),
    ...change,
  });
  const publish = (events: readonly object[], more: object = {}) =>
    operator.post('/operator/events', { events, ...more });
  const occurrenceCount = async () => (await rows('occurrences')).length;
  const fromNow = (ms: number) => new Date(service.clock.now().getTime() + ms).toISOString();

  /** What is refused, with a batch that is otherwise good, and that nothing of it is written. */
  async function refusal(events: readonly object[]) {
    const before = await occurrenceCount();
    const { status, body } = await publish([order('good-before'), ...events, order('good-after')]);
    expect(await occurrenceCount()).toBe(before);
    return [status, body.error, body.detail];
  }

  it('[own events] an event reaches every endpoint that wants it, in the version of its pin', async () => {
    const pinned = await Promise.all(
      maintained.map((version) => endpoint({ events: ['order.created'], api_version: version })),
    );
    const other = await endpoint({ events: ['order.refunded'], api_version: next });
    const { status, body } = await publish([order('order-17-created', { data: orderData(17) })]);
    expect([status, body]).toEqual([
      200,
      {
        dry_run: false,
        events: [{ id: 'order-17-created', occurrence_id: expect.stringMatching(/^occ_/), already: false }],
      },
    ]);
    for (const { id, api_version: version } of pinned) {
      const [event] = await eventsOf(id);
      expect(event).toMatchObject({ type: 'order.created', occurrence_id: body.events[0].occurrence_id });
      const { currency, ...older } = orderData(17);
      expect(JSON.parse((await payloadOf(event)).toString())).toEqual({
        type: 'order.created',
        api_version: version,
        timestamp: service.clock.now().toISOString(),
        data: version === next ? { ...older, currency } : older,
      });
    }
    expect(await eventsOf(other.id)).toEqual([]);
  });

  it('[folder 16] an event that a change would break in an older version is refused to its publisher with the version, and nothing is written', async () => {
    await endpoint({ events: ['order.created'], api_version: current });
    const [, , lies] = await refusal([order('lies', { data: { ...orderData(1), currency: 'lies' } })]);
    expect(lies).toMatch(
      new RegExp(`events\\[1\\].data .*as ${current} has it: after the changes /data/total must be integer`),
    );
    const thrown = await refusal([order('throws', { data: { ...orderData(1), currency: 'throws' } })]);
    expect(thrown).toEqual([422, 'validation_failed', expect.stringContaining('no such currency')]);
    expect((await publish([order('as-before')])).status).toBe(200);
  });

  it('[own events] sent again it is there already, whatever the order of its keys, and nothing is written', async () => {
    const { id: endpointId } = await endpoint({ events: ['order.created'] });
    const data = { order: 'ord-2', total: 2, currency: 'eur', lines: [{ sku: 'a', count: 1 }] };
    const first = await publish([order('twice', { data })]);
    const turned = { lines: [{ count: 1, sku: 'a' }], currency: 'eur', total: 2, order: 'ord-2' };
    const [before, events] = [await occurrenceCount(), await eventsOf(endpointId)];
    const again = await publish([order('twice', { data: turned }), order('new')]);
    expect(again.body.events).toEqual([
      { ...first.body.events[0], already: true },
      { id: 'new', occurrence_id: expect.any(String), already: false },
    ]);
    expect(await occurrenceCount()).toBe(before + 1);
    expect(await eventsOf(endpointId)).toHaveLength(events.length + 1);
  });

  it('[own events] an event that stands twice in a batch is published once', async () => {
    const { body } = await publish([order('in-one-batch'), order('between'), order('in-one-batch')]);
    const [first, , second] = body.events;
    expect([first.already, second]).toEqual([false, { ...first, already: true }]);
  });

  it.each([
    ['other data', { data: { order: 'x', total: 3, currency: 'eur' } }],
    ['another type', { type: 'order.refunded' }],
  ])(
    '[own events] the same id with %s is 409, before or in the same batch, and nothing is published',
    async (what, change) => {
      const id = `taken with ${what}`;
      const detail = (index: number) =>
        `events[${index}].id ${id} was used before, with another type or other data. Nothing of this batch was published.`;
      expect(await refusal([order(id), order(id, change)])).toEqual([409, 'conflict', detail(2)]);
      await publish([order(id)]);
      expect(await refusal([order(id, change)])).toEqual([409, 'conflict', detail(1)]);
    },
  );

  it.each<[string, (order: object) => object, string]>([
    [
      'a kind of ours',
      (event) => ({ ...event, type: 'organization.updated' }),
      'type must be one of order.created, order.refunded.',
    ],
    [
      'an unknown kind',
      (event) => ({ ...event, type: 'order.lost' }),
      'type must be one of order.created, order.refunded.',
    ],
    [
      'an unknown organization',
      (event) => ({ ...event, organization_id: 'org_unknown' }),
      'organization_id names no organization.',
    ],
    ['data of another shape', (event) => ({ ...event, data: orderData(-1) }), 'data.total must be >= 0.'],
    [
      'data with a gap',
      (event) => ({ ...event, data: { order: 'x', total: 1 } }),
      'data.currency is missing.',
    ],
    [
      'a gap deep in it',
      (event) => ({ ...event, data: { ...orderData(1), lines: [{ sku: 'a' }, {}] } }),
      'data.lines[1].sku is missing.',
    ],
    [
      'text that cannot be stored',
      (event) => ({ ...event, data: { ...orderData(1), note: 'a\0b' } }),
      'data.note holds a NUL character.',
    ],
    [
      'a number that was rounded',
      (event) => ({ ...event, data: { ...orderData(1), row: 2 ** 53 } }),
      'data.row is a number that readers of JSON do not keep exactly; send it as text.',
    ],
    [
      'too much data',
      (event) => ({ ...event, data: { ...orderData(1), note: 'x'.repeat(2 ** 18) } }),
      'data has more than 262144 bytes.',
    ],
    [
      'data nested too deep',
      (event) => ({
        ...event,
        data: { ...orderData(1), deep: JSON.parse(`${'['.repeat(64)}${']'.repeat(64)}`) },
      }),
      'data is nested more than 64 levels deep.',
    ],
    ['no id', ({ id: _, ...event }: { id?: string }) => event, 'id is missing.'],
    [
      'an id that cannot be read',
      (event) => ({ ...event, id: 'a\u0007b' }),
      'id has characters or a form that are not allowed.',
    ],
    ['a field too many', (event) => ({ ...event, colour: 'red' }), 'colour is not a field of this request.'],
    [
      'no time',
      (event) => ({ ...event, occurred_at: 'yesterday' }),
      'occurred_at must be a time, such as 2027-01-06T17:00:00Z.',
    ],
    [
      'a time to come',
      (event) => ({ ...event, occurred_at: fromNow(60_001) }),
      'occurred_at lies in the future.',
    ],
    [
      'a time long past',
      (event) => ({ ...event, occurred_at: fromNow(-90 * DAY_MS - 1) }),
      'occurred_at lies further back than the 90 days for which events are kept.',
    ],
  ])(
    '[own events] %s is refused by place, and nothing of the batch is published',
    async (what, change, problem) => {
      expect(await refusal([change(order(what))])).toEqual([
        422,
        'validation_failed',
        `events[1].${problem}`,
      ]);
    },
  );

  it('[own events] a batch has 1 to 1,000 events and 4 MiB', async () => {
    expect((await publish([])).status).toBe(422);
    const orders = Array.from({ length: 1_001 }, (_, number) => order(`many-${number}`));
    expect((await publish(orders)).status).toBe(422);
    const { status, body } = await publish(orders.slice(1));
    expect([status, body.events.length]).toEqual([200, 1_000]);
    const long = order('long', { data: { ...orderData(1), note: 'x'.repeat(2 ** 22) } });
    expect((await publish([long])).body.error).toBe('payload_too_large');
  });

  it('[own events] a dry run checks everything and publishes nothing', async () => {
    await publish([order('dry-known')]);
    const before = [await occurrenceCount(), (await rows('published_occurrences')).length];
    const dry = await publish([order('dry-known'), order('dry-new'), order('dry-new')], { dry_run: true });
    expect(dry.body).toEqual({
      dry_run: true,
      events: [
        { id: 'dry-known', occurrence_id: expect.any(String), already: true },
        { id: 'dry-new', occurrence_id: null, already: false },
        { id: 'dry-new', occurrence_id: null, already: true },
      ],
    });
    const refused = await publish([order('dry-known', { data: orderData(2) })], { dry_run: true });
    expect(refused.status).toBe(409);
    expect((await publish([order('dry', { type: 'x' })], { dry_run: true })).status).toBe(422);
    expect([await occurrenceCount(), (await rows('published_occurrences')).length]).toEqual(before);
  });

  it('[own events] the time that a sender gives is told, and moves nothing else', async () => {
    const { id: endpointId } = await endpoint({ events: ['order.*'] });
    const before = await publish([order('before')]);
    const occurredAt = fromNow(-80 * DAY_MS);
    service.clock.advanceSeconds(1);
    const late = await publish([order('late', { occurred_at: occurredAt })]);
    const events = await eventsOf(endpointId);
    expect(events.map((event: { occurrence_id: string }) => event.occurrence_id)).toEqual(
      [before, late].map(({ body }) => body.events[0].occurrence_id),
    );
    expect(events[1].created_at).toBe(service.clock.now().toISOString());
    expect(JSON.parse((await payloadOf(events[1])).toString()).timestamp).toBe(occurredAt);
  });

  it('[own events] who listens hears of what happened long ago, once', async () => {
    // What was published before is not heard.
    service.clock.advanceSeconds(60);
    const hungUp = new AbortController();
    const path = `/operator/organizations/${organization}/webhooks/listen?events=order.*`;
    const response = await service.call('sandbox', path, {
      headers: { authorization: `Bearer ${service.quickstart.sandbox.operator_key}` },
      signal: hungUp.signal,
    });
    const heard: string[] = [];
    const reading = (async () => {
      for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? [])
        for (const line of text.split('\n').filter(Boolean))
          heard.push(JSON.parse(JSON.parse(line).body ?? '{}').data?.order);
    })().catch(() => {});
    await expect.poll(() => heard).toHaveLength(1);
    service.clock.advanceSeconds(1);
    const listened = (total: number) =>
      publish([order(`listened-${total}`, { data: orderData(total), occurred_at: fromNow(-DAY_MS) })]);
    for (const total of [101, 102, 103]) {
      await listened(total);
      await expect.poll(() => heard).toContain(`ord-${total}`);
    }
    hungUp.abort();
    await reading;
    expect(heard).toEqual([undefined, 'ord-101', 'ord-102', 'ord-103']);
  });

  it('[own events] a publisher’s key is in the log line, not in the audit log; the kinds are counted', async () => {
    const made = await operator.post('/operator/operator-keys', { name: 'orders', role: 'publisher' });
    const { id: keyId, operator_key: key } = made.body;
    const metric = async () => {
      const text = await (await service.call('sandbox', '/metrics')).text();
      return Number(
        /^dateline_events_published_total\{type="order.refunded",.*\} (\d+)$/m.exec(text)?.[1] ?? 0,
      );
    };
    const before = [await metric(), (await operator.lastAudit())?.id];
    const response = await service.call('sandbox', '/operator/events', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        events: [1, 2, 2].map((n) => order(`refund-${n}`, { type: 'order.refunded' })),
      }),
    });
    expect([response.status, response.headers.get('service-version')]).toEqual([200, current]);
    expect([await metric(), (await operator.lastAudit())?.id]).toEqual([Number(before[0]) + 2, before[1]]);
    const lines = service.logLines.filter((line) => line.includes('/operator/events'));
    expect(lines.at(-1)).toContain(`"operator_key_id":"${keyId}"`);
    expect(service.logLines.join('')).not.toContain(key);
  });

  it('[own events] an organization that was deleted gets none', async () => {
    const { body: made } = await operator.post('/operator/organizations', { name: 'Gone' });
    await operator.ask('DELETE', `/operator/organizations/${made.id}`);
    expect(await refusal([order('gone', { organization_id: made.id })])).toEqual([
      422,
      'validation_failed',
      'events[1].organization_id names no organization.',
    ]);
  });
});
