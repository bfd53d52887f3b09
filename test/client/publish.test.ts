import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ApiError, ConnectionError, UsageError } from '../../client/src/index.ts';
import {
  EventRefusedError,
  type NewEvent,
  type PublishOptions,
  publishEvents,
} from '../../client/src/publish.ts';
import { anyEngine } from '../support/database/databases.ts';
import { startScriptedApi } from '../support/http/scripted-api.ts';
import { describeInLongRuns } from '../support/run/in-long-runs.ts';
import { homeTime } from '../support/service/build-versions.ts';
import { startProxiedService } from '../support/service/proxied-service.ts';
import { type TestService, useTestService } from '../support/service/test-service.ts';
import { buildWithFolderKinds, orderData } from '../support/webhooks/folder-kinds.ts';

const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error: unknown) => error,
  );

function ordersOf({ quickstart }: TestService, name: string, count: number): NewEvent[] {
  const { organization_id } = quickstart.sandbox;
  return Array.from({ length: count }, (_, number) => ({
    id: `${name}-${number}`,
    type: 'order.created',
    organization_id,
    data: orderData(number),
  }));
}

function publisherOf({ urls, quickstart }: TestService) {
  return (events: readonly NewEvent[], more: Partial<PublishOptions> = {}) =>
    publishEvents({ url: urls.sandbox, key: quickstart.sandbox.operator_key, events, ...more });
}

describe('publishEvents', () => {
  const service = useTestService(anyEngine, {}, homeTime, { build: buildWithFolderKinds() });
  const orders = (name: string, count = 1) => ordersOf(service, name, count);
  const publish: ReturnType<typeof publisherOf> = (...given) => publisherOf(service)(...given);

  it('[own events] sends batches, answers for each event in order, and may be called again', async () => {
    const sizes: number[] = [];
    const counting: typeof fetch = (url, init) => {
      sizes.push(JSON.parse(String(init?.body)).events.length);
      return fetch(url, init);
    };
    const events = orders('many', 1_001);
    const checked = await publish(events, { dryRun: true });
    expect(checked[1_000]).toEqual({ id: 'many-1000', occurrence_id: null, already: false });
    const published = await publish(events, { fetch: counting });
    expect(sizes).toEqual([500, 500, 1]);
    expect(published.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    expect(published.filter(({ already }) => already)).toEqual([]);
    const again = await publish(events);
    expect(again).toEqual(published.map((event) => ({ ...event, already: true })));
    expect(await publish([])).toEqual([]);
  });

  it('[own events] keeps a batch below what the service takes', async () => {
    const note = 'ü'.repeat(100_000);
    const long = orders('long', 25).map((event) => ({ ...event, data: { ...event.data, note } }));
    expect(await publish(long)).toHaveLength(25);
  });

  it('[own events] an answer that is lost is asked for again, and the event was there already', async () => {
    let calls = 0;
    const losing: typeof fetch = async (url, init) => {
      const answer = await fetch(url, init);
      calls += 1;
      if (calls === 1) throw new TypeError('the connection broke');
      return answer;
    };
    expect(await publish(orders('lost'), { fetch: losing })).toMatchObject([{ already: true }]);
    expect(
      await caught(publish(orders('lost'), { retries: 0, fetch: () => Promise.reject() })),
    ).toBeInstanceOf(ConnectionError);
  });

  it('[own events] names the event that is refused, by its id and its place in the list', async () => {
    const events = orders('refused', 900).with(700, {
      ...(orders('wrong')[0] as NewEvent),
      data: { total: 'x' },
    });
    const error = (await caught(publish(events))) as EventRefusedError;
    expect(error).toBeInstanceOf(EventRefusedError);
    expect([error.id, error.index]).toEqual(['wrong-0', 700]);
    expect(error.message).toMatch(/events\[700\]\.data\.total must be integer/);
    expect(error.cause).toMatchObject({ code: 'validation_failed', status: 422 });
    expect(await publish(orders('refused', 500))).toMatchObject(Array(500).fill({ already: true }));
    const taken = [...orders('fresh'), { ...(orders('refused')[0] as NewEvent), data: orderData(9) }];
    const conflict = (await caught(publish(taken))) as EventRefusedError;
    expect([conflict.id, conflict.index, (conflict.cause as ApiError).code]).toEqual([
      'refused-0',
      1,
      'conflict',
    ]);
  });

  it('[own events] shows the key in no error', async () => {
    const key = 'dl_test_op_secret';
    const errors = [
      await caught(publish(orders('x'), { key })),
      await caught(publish(orders('x'), { key: `${key}\n` })),
      await caught(publish(orders('x'), { key, url: 'http://127.0.0.1:1', retries: 0 })),
      await caught(publish(orders('x'), { key, url: 'ftp://127.0.0.1' })),
    ];
    expect(errors.map((error) => (error as Error).constructor)).toEqual([
      expect.any(Function),
      UsageError,
      ConnectionError,
      UsageError,
    ]);
    expect(errors[0]).toMatchObject({ code: 'unauthorized', status: 401 });
    expect(inspect(errors, { depth: 9 })).not.toContain(key);
    expect(await caught(publish(orders('x'), { key: undefined }))).toBeInstanceOf(UsageError);
  });
});

describe('publishEvents and a service that fails', () => {
  const events = [{ id: '1', type: 'order.created', organization_id: 'org_1', data: {} }];
  const answered = { body: { events: [{ id: '1', occurrence_id: 'occ_1', already: false }] } };
  const busy = (status: number) => ({ status, headers: { 'retry-after': '0' }, body: {} });

  it('[own events] tries again after 429 and 5xx, with the same bytes', async () => {
    const answers = [busy(429), busy(500), busy(502), busy(503), answered];
    const { baseUrl: url, calls } = await startScriptedApi((_call, index) => answers[index] ?? {});
    expect(await publishEvents({ url, key: 'k', events })).toEqual(answered.body.events);
    expect(new Set(calls.map(({ method, path, body }) => `${method} ${path} ${body}`)).size).toBe(1);
    expect(calls).toHaveLength(5);
    expect(calls[0]).toMatchObject({ path: '/operator/events', headers: { authorization: 'Bearer k' } });
  });

  it('[own events] gives up after its retries, and tries nothing again that will be refused again', async () => {
    const { baseUrl: url, calls } = await startScriptedApi((_call, index) => busy(index < 2 ? 500 : 403));
    expect(await caught(publishEvents({ url, key: 'k', events, retries: 1 }))).toMatchObject({ status: 500 });
    expect(calls).toHaveLength(2);
    const refused = await caught(publishEvents({ url, key: 'k', events }));
    expect([refused instanceof ApiError, (refused as ApiError).status]).toEqual([true, 403]);
    expect(calls).toHaveLength(3);
  });

  it('[own events] stops when it is told to, also while it waits', async () => {
    const aborting = new AbortController();
    const { baseUrl: url, calls } = await startScriptedApi(() => {
      setImmediate(() => aborting.abort(new Error('enough')));
      return { ...busy(503), headers: { 'retry-after': '60' } };
    });
    const error = await caught(publishEvents({ url, key: 'k', events, signal: aborting.signal }));
    expect([(error as Error).message, calls.length]).toEqual(['enough', 1]);
  });
});

describeInLongRuns('a batch whose commit is stored, but whose answer is held back', () => {
  it('[own events] is answered 503, and sent again it is there already', async () => {
    const { running, proxy } = await startProxiedService({ build: buildWithFolderKinds() });
    const events = ordersOf(running, 'held', 3);
    proxy.holdCommitAfter('claim_published_occurrences');
    const statuses: number[] = [];
    const watching: typeof fetch = async (url, init) => {
      const answer = await fetch(url, init);
      statuses.push(answer.status);
      return answer;
    };
    const published = await publisherOf(running)(events, { fetch: watching });
    expect(statuses).toEqual([503, 200]);
    expect(published).toMatchObject(Array(3).fill({ already: true }));
  });
});
