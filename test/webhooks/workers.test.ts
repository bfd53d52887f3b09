import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { createVersions } from '../../src/compose/create-versions.ts';
import type { Context, Environment } from '../../src/environments/environment.ts';
import type { OrganizationId } from '../../src/identity/types.ts';
import { newId } from '../../src/kernel/ids.ts';
import { createProduct } from '../../src/products/products.ts';
import { openSecretBox } from '../../src/secrets/open-secret-box.ts';
import type { SecretBox } from '../../src/secrets/secret-box.ts';
import { statement } from '../../src/storage/statement.ts';
import { type Deliveries, startDeliveries } from '../../src/webhooks/deliveries/deliver.ts';
import type { LaneLimits } from '../../src/webhooks/deliveries/lanes.ts';
import { leaseLanes, type Result, releaseLanes, settle } from '../../src/webhooks/deliveries/store.ts';
import { createEndpoint } from '../../src/webhooks/endpoints/create-endpoint.ts';
import { createSender } from '../../src/webhooks/sending/sender.ts';
import { attemptIdPrefix, type EndpointId, type EventId } from '../../src/webhooks/types.ts';
import { storedProduct } from '../support/contracts/products.ts';
import { isFullMatrix, onPostgresFirst } from '../support/database/databases.ts';
import { createGrantedUser } from '../support/oauth/oauth-fixtures.ts';
import { itInLongRuns } from '../support/run/in-long-runs.ts';
import { useTestEnvironments } from '../support/service/test-environment.ts';
import { startReceiver } from '../support/webhooks/receivers.ts';

const rules = { ports: [443], loopback: true };

const SOME_INSTANT = Date.UTC(2026, 10, 17);
const LAST_SUCCESS = statement(
  'last_success',
  'select last_success_at as at from {schema}.webhook_lanes where endpoint_id = $1',
);

onPostgresFirst('workers', (engine) => {
  const environments = useTestEnvironments(engine);
  const running: Deliveries[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((worker) => worker.stop(0)));
  });

  const box = () =>
    openSecretBox(environments.sandbox, { configured: [Buffer.alloc(32, 7)], path: '/nowhere' });

  async function work(
    name: string,
    errors: unknown[] = [],
    secrets?: SecretBox,
    limits: Partial<LaneLimits> = {},
    environment: Partial<Environment> = {},
  ): Promise<Deliveries> {
    const { sandbox } = environments;
    const worker = await startDeliveries({
      environment: { ...sandbox, ...environment },
      box: secrets ?? (await box()),
      sender: createSender({ rules }),
      deprecationOf: createVersions(sandbox.clock).deprecationOf,
      worker: name,
      limits,
      onAttempt() {},
      onUnrendered: (_event, error) => errors.push(error),
      onError: (error) => errors.push(error),
    });
    running.push(worker);
    return worker;
  }

  /** An organization of its own with endpoints, and a way to make events for them. */
  async function stage(count: number, answer?: Parameters<typeof startReceiver>[0]) {
    const { sandbox } = environments;
    const { organization } = await createGrantedUser(sandbox);
    const receiver = await startReceiver(answer);
    const actor = { type: 'system', id: null } as const;
    const secretBox = await box();
    const create = (context: Context, index: number) =>
      createEndpoint(
        context,
        {
          organizationId: organization.id,
          url: `http://127.0.0.1:${receiver.port}/${index}`,
          format: 'raw',
          events: ['product.created'],
          apiVersion: null,
          enabled: true,
          description: null,
          maxPerSecond: null,
        },
        { box: secretBox, rules, actor },
      );
    const first = await sandbox.transaction(async (context) => {
      for (let index = 1; index < count; index += 1) await create(context, index);
      return create(context, 0);
    });
    return {
      receiver,
      organizationId: organization.id as string,
      endpointId: first.endpoint.id,
      happen: () =>
        createProduct(sandbox, [organization.id as OrganizationId], {
          organizationId: null,
          product: storedProduct,
        }),
    };
  }

  it('[webhooks 40] that share a database send each event once', async () => {
    const { receiver, happen } = await stage(5);
    const workers = [await work('one'), await work('two')];
    for (let count = 0; count < 20; count += 1) await happen();
    await expect.poll(() => receiver.requests.length).toBe(100);
    // They finish the events they have begun.
    for (const worker of workers) await worker.stop(5_000);
    const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(100);
    expect(ids).toHaveLength(100);
  });

  it('that are stopped take nothing more in the round that they are in, and give back what they have taken', async () => {
    const { receiver, happen } = await stage(1);
    await happen();
    // Its first round waits for the database.
    await (await work('one')).stop(5_000);
    expect(receiver.requests).toEqual([]);
    await work('two');
    await expect.poll(() => receiver.requests.length).toBe(1);
  });

  it('[webhooks 40] whose clocks differ a little do not take each other’s endpoints', async () => {
    const { sandbox, clock } = environments;
    const { happen, endpointId } = await stage(1);
    await happen();
    const leased = async (worker: string, aheadMs: number) => {
      const now = new Date(clock.now().getTime() + aheadMs);
      const lanes = await leaseLanes(
        sandbox.session,
        { worker, now, until: new Date(now.getTime() + 10_000) },
        { room: 100, perOrganization: new Map(), lanesPerOrganizationMax: 100 },
      );
      return lanes.some((lane) => lane.endpointId === endpointId);
    };
    expect(await leased('one', 5)).toBe(true);
    expect(await leased('two', 0)).toBe(false);
    expect(await leased('two', 10_006)).toBe(true);
  });

  /** How attempts on an endpoint went, at so many milliseconds after some instant. */
  async function settled(endpointId: EndpointId, state: Result['state'], atMs: number) {
    const startedAt = new Date(SOME_INSTANT + atMs);
    const attempt = {
      ...{
        id: newId<'webhook attempt'>(attemptIdPrefix, startedAt),
        eventId: 'evt_none' as EventId,
        endpointId,
      },
      ...{ organizationId: 'org_none', startedAt, durationMs: 1, status: 200, answer: null, evidence: null },
      error: state === 'delivered' ? null : 'status',
    };
    const { session } = environments.sandbox;
    const states = await settle(session, [{ attempt, state, nextAttemptAt: null, triesBefore: 0 }]);
    const [lane] = await session.run<{ at: Date }>(LAST_SUCCESS, [endpointId]);
    return { states, lastSuccessMs: lane ? lane.at.getTime() - SOME_INSTANT : null };
  }

  it('write down once a second that an endpoint works, and the first time at once', async () => {
    const { endpointId } = await stage(1);
    expect(await settled(endpointId, 'delivered', 0)).toMatchObject({ lastSuccessMs: 0 });
    expect(await settled(endpointId, 'delivered', 900)).toEqual({ states: [], lastSuccessMs: 0 });
    expect(await settled(endpointId, 'delivered', 1_001)).toMatchObject({ lastSuccessMs: 1_001 });
  });

  it('write down every failure of an endpoint, and the success after it', async () => {
    const { endpointId } = await stage(1);
    await settled(endpointId, 'delivered', 0);
    expect(await settled(endpointId, 'pending', 10)).toMatchObject({ states: [{ failureCount: 1 }] });
    expect(await settled(endpointId, 'pending', 20)).toMatchObject({ states: [{ failureCount: 2 }] });
    expect(await settled(endpointId, 'delivered', 30)).toMatchObject({
      states: [{ failingSince: null, failureCount: 0 }],
      lastSuccessMs: 30,
    });
  });

  it('release a paused endpoint at once, and store until when it is paused', async () => {
    const { sandbox, clock } = environments;
    const { receiver, happen, endpointId } = await stage(1, {
      answer: (_request, response) => response.writeHead(429, { 'retry-after': '3600' }).end(),
    });
    await work('one');
    await happen();
    await happen();
    await expect.poll(() => receiver.requests.length).toBeGreaterThan(0);
    const lane = statement(
      'lane',
      'select leased_by as "leasedBy", not_before as "notBefore" from {schema}.webhook_lanes where endpoint_id = $1',
    );
    const read = async () =>
      (await sandbox.session.run<{ leasedBy: string | null; notBefore: Date | null }>(lane, [endpointId]))[0];
    await expect.poll(async () => (await read())?.notBefore?.getTime()).toBeGreaterThan(0);
    const { leasedBy, notBefore } = (await read()) ?? {};
    expect(leasedBy).toBeNull();
    expect((notBefore?.getTime() ?? 0) - clock.now().getTime()).toBeGreaterThan(3_500_000);
  });

  itInLongRuns('leave an endpoint to others for a while when they cannot deliver to it at all', async () => {
    const { clock } = environments;
    const { receiver, happen, endpointId } = await stage(1);
    const errors: unknown[] = [];
    const wrongBox = await box();
    await work('without the key', errors, {
      ...wrongBox,
      unseal() {
        throw new Error('this process does not have that key');
      },
    });
    await happen();
    await expect.poll(() => errors.length).toBeGreaterThan(0);
    const setAside = statement(
      'set_aside',
      'select endpoint_id from {schema}.webhook_lanes where endpoint_id = $1 and not_before > $2',
    );
    await expect
      .poll(() => environments.sandbox.session.run(setAside, [endpointId, clock.now()]))
      .toHaveLength(1);
    expect(errors.length).toBeLessThan(4);
    await work('with the key');
    // The first to poll gets it: the one without the key may get it a second time.
    await expect
      .poll(() => {
        clock.advanceSeconds(10);
        return receiver.requests.length;
      })
      .toBe(1);
  });

  it('[webhooks 43] that are being stopped keep the leases of what they are still sending', async () => {
    const { sandbox, clock } = environments;
    let finish: (() => void) | undefined;
    const { receiver, happen, endpointId } = await stage(1, {
      answer: (_request, response) => {
        finish = () => response.end('ok');
      },
    });
    const worker = await work('one');
    await happen();
    await expect.poll(() => receiver.requests.length).toBe(1);
    const stopped = worker.stop(20_000);
    running.splice(0);
    clock.advanceSeconds(9);
    const until = statement(
      'lease',
      'select leased_until as "leasedUntil" from {schema}.webhook_lanes where endpoint_id = $1',
    );
    const leftMs = async () => {
      const [row] = await sandbox.session.run<{ leasedUntil: Date }>(until, [endpointId]);
      return (row?.leasedUntil.getTime() ?? 0) - clock.now().getTime();
    };
    await expect.poll(leftMs).toBeGreaterThan(5_000);
    finish?.();
    await stopped;
  });

  // The embedded database is in the same process as the receivers here: a tenth of it takes as long.
  const many = engine === 'PostgreSQL' && isFullMatrix ? 1_000 : 100;
  it(`[webhooks 48] notify ${many} endpoints of one event`, async () => {
    const { receiver, happen } = await stage(many);
    await work('one');
    await happen();
    await expect.poll(() => receiver.requests.length).toBe(many);
    expect(new Set(receiver.requests.map(({ path }) => path)).size).toBe(many);
  }, 90_000);

  it('[webhooks 43] that are stopped finish what is in flight and release their endpoints at once', async () => {
    let answerAll = (): void => {};
    const mayAnswer = new Promise<void>((resolve) => {
      answerAll = resolve;
    });
    const { receiver, happen } = await stage(1, {
      answer: (_request, response) => void mayAnswer.then(() => response.end('ok')),
    });
    const worker = await work('one');
    for (let count = 0; count < 12; count += 1) await happen();
    await expect.poll(() => receiver.requests.length).toBe(8);
    // It is held while it looks for more, stopped then, and goes on when those in flight have ended: they make no room.
    const lockLanes = statement('lock_lanes', 'lock table {schema}.webhook_lanes in access exclusive mode');
    const stopping = await environments.sandbox.transaction(async ({ session }) => {
      await session.run(lockLanes, []);
      await delay(300);
      const stopped = worker.stop(10_000);
      answerAll();
      await delay(100);
      return { stopped };
    });
    await stopping.stopped;
    running.splice(0);
    const sentByFirst = receiver.requests.length;
    expect(sentByFirst).toBe(8);
    await work('two');
    await expect.poll(() => receiver.requests.length).toBe(12);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(12);
  });

  it('[webhooks 45] are not blocked by an endpoint that never answers', async () => {
    const hanging = await stage(1, { answer: () => {} });
    const healthy = await stage(3);
    await work('one');
    for (let count = 0; count < 200; count += 1) await hanging.happen();
    await expect.poll(() => hanging.receiver.requests.length).toBeGreaterThan(0);
    for (let count = 0; count < 30; count += 1) await healthy.happen();
    await expect.poll(() => healthy.receiver.requests.length).toBe(90);
    // The rest of them still wait for their turn.
    expect(hanging.receiver.requests.length).toBeLessThan(60);
  });

  it('[outside 11] deliver to other organizations at once while many slow receivers of one are waited for', async () => {
    const slow = await stage(60, { answer: () => {} });
    const other = await stage(1);
    await work('one', [], undefined, { lanesMax: 20, lanesPerOrganizationMax: 5, inFlightMax: 40 });
    await slow.happen();
    await slow.happen();
    await expect.poll(() => slow.receiver.requests.length).toBeGreaterThanOrEqual(5);
    const waitedMs: number[] = [];
    for (let count = 1; count <= 20; count += 1) {
      const begunMs = performance.now();
      await other.happen();
      await expect.poll(() => other.receiver.requests.length, { interval: 2 }).toBe(count);
      waitedMs.push((other.receiver.requests.at(-1)?.atMs ?? 0) - begunMs);
    }
    // The five endpoints whose turn it was have all there is to do for them in flight; no other one has begun.
    expect(new Set(slow.receiver.requests.map(({ path }) => path)).size).toBe(5);
    const p95 = waitedMs.toSorted((one, next) => one - next)[18] ?? 0;
    process.stdout.write(
      `60 slow endpoints of one organization: p95 of 20 events of another ${Math.round(p95)} ms\n`,
    );
  });

  it('[outside 11] give an endpoint back after its slice of time, so that all of an organization get their turn', async () => {
    const { receiver, happen } = await stage(12, {
      answer: (_request, response) => void setTimeout(() => response.end('ok'), 40),
    });
    for (let count = 0; count < 12; count += 1) await happen();
    const limits = { lanesMax: 4, inFlightPerEndpointMax: 1, sliceMs: 80 };
    await work('one', [], undefined, limits);
    await expect.poll(() => receiver.requests.length).toBe(12 * 12);
    const paths = receiver.requests.map(({ path }) => path);
    // Everyone has had the first before anyone has had the last.
    const firsts = [...new Set(paths)].map((path) => paths.indexOf(path));
    const lasts = [...new Set(paths)].map((path) => paths.lastIndexOf(path));
    expect(Math.max(...firsts)).toBeLessThan(Math.min(...lasts));
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(12 * 12);
  });

  it('[outside 11] send events of endpoints that are asked about for longer than a slice of time', async () => {
    const { sandbox, clock } = environments;
    const { receiver, happen } = await stage(12);
    await happen();
    // It goes on: those that were given back last are taken again last.
    const ticking = setInterval(() => clock.advanceSeconds(0.02), 20);
    onTestFinished(() => clearInterval(ticking));
    const untilReadersSee = Object.assign(() => delay(150), { counts: sandbox.untilReadersSee.counts });
    const faults: unknown[] = [];
    await work('one', faults, undefined, { lanesMax: 4, sliceMs: 80 }, { untilReadersSee });
    await expect.poll(() => receiver.requests.length).toBe(12);
    expect(new Set(receiver.requests.map(({ path }) => path)).size).toBe(12);
    expect(faults).toEqual([]);
  });

  it('[outside 11] lease endpoints round-robin over organizations, and no more of one than its share', async () => {
    const { sandbox, clock } = environments;
    // What other tests have left undone waits too.
    await sandbox.session
      .tables<{ webhook_events: { state: string } }>()
      .updateTable('webhook_events')
      .set({ state: 'cancelled' })
      .execute();
    const [many, few, third] = [await stage(30), await stage(2), await stage(1)];
    for (const { happen } of [many, few, third]) await happen();
    const now = clock.now();
    const take = (room: number, perOrganization = new Map<string, number>()) =>
      sandbox.transaction(async (context) => {
        const lease = { worker: 'one', now, until: new Date(now.getTime() + 10_000) };
        const lanes = await leaseLanes(context.session, lease, {
          room,
          perOrganization,
          lanesPerOrganizationMax: 8,
        });
        const own = [many, few, third].map(({ organizationId }) => organizationId);
        return own.map((id) => lanes.filter(({ organizationId }) => organizationId === id).length);
      });
    const held = new Map([[many.organizationId, 2]]);
    expect(await take(2, held)).toEqual([0, 1, 1]);
    expect(await take(3, held)).toEqual([2, 1, 0]);
    expect(await take(100, held)).toEqual([6, 0, 0]);
    expect(await take(100, new Map([[many.organizationId, 8]]))).toEqual([0, 0, 0]);
  });

  it('[webhooks 44] keep working when the clock is set back or ahead', async () => {
    const { clock } = environments;
    const { receiver, happen } = await stage(1);
    const worker = await work('one');
    await happen();
    await expect.poll(() => receiver.requests.length).toBe(1);
    clock.advanceSeconds(-3_600);
    await happen();
    await expect.poll(() => receiver.requests.length).toBe(2);
    clock.advanceSeconds(86_400);
    await happen();
    await expect.poll(() => receiver.requests.length).toBe(3);
    // A lease that was made before the clock went back does not last an hour.
    await worker.stop(0);
    running.splice(0);
    await work('left behind');
    await happen();
    await expect.poll(() => receiver.requests.length).toBe(4);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(4);
  });

  it('[outside2 16] send what has failed as soon as they should, though the clock was set back since', async () => {
    const { sandbox, clock } = environments;
    const { receiver, happen, endpointId } = await stage(1, {
      answer: (_request, response) => response.writeHead(500).end(),
    });
    const worker = await work('one');
    await happen();
    await expect.poll(() => receiver.requests.length).toBe(1);
    const waiting = statement(
      'waiting',
      'select next_attempt_at as "at", tries from {schema}.webhook_events where endpoint_id = $1 order by tries desc',
    );
    const waits = async () =>
      (await sandbox.session.run<{ at: Date | null; tries: number }>(waiting, [endpointId])).map(
        ({ at, tries }) => ({ tries, seconds: ((at?.getTime() ?? 0) - clock.now().getTime()) / 1_000 }),
      );
    await expect.poll(waits).toMatchObject([{ tries: 1 }]);
    clock.advanceSeconds(-3_000);
    await expect.poll(async () => (await waits())[0]?.seconds).toBeLessThan(60);
    expect((await waits())[0]?.seconds).toBeGreaterThan(0);
    clock.advanceSeconds(60);
    await expect.poll(() => receiver.requests.length).toBe(2);

    // What waits for its first attempt, and was stored while no worker ran.
    await worker.stop(0);
    running.splice(0);
    await happen();
    clock.advanceSeconds(-3_000);
    await work('another');
    await expect.poll(waits).toMatchObject([{ tries: 2 }, { tries: 1 }]);
  });

  it('[outside2 16] end a pause that a receiver asked for as soon as they should, though the clock was set back since', async () => {
    const { sandbox, clock } = environments;
    const { happen, endpointId } = await stage(1);
    await happen();
    const lease = (now: Date) =>
      leaseLanes(
        sandbox.session,
        { worker: 'one', now, until: new Date(now.getTime() + 10_000) },
        { room: 1_000, perOrganization: new Map(), lanesPerOrganizationMax: 1_000 },
      );
    const isLeased = async (now: Date) => (await lease(now)).some((lane) => lane.endpointId === endpointId);
    const [now, later] = [clock.now(), new Date(clock.now().getTime() + 3_000_000)];
    expect(await isLeased(later)).toBe(true);
    const notBefore = new Date(later.getTime() + 10_000);
    await releaseLanes(sandbox.session, 'one', [{ endpointId, notBefore }], later);
    expect([await isLeased(later), await isLeased(now)]).toEqual([false, true]);
  });

  it('[webhooks 38] disable an endpoint that has failed for five days and ten times, once; one success resets the count', async () => {
    const { sandbox, clock } = environments;
    let broken = true;
    const { receiver, endpointId, happen } = await stage(1, {
      answer: (_request, response) => response.writeHead(broken ? 500 : 200).end(),
    });
    await work('one');
    const isDisabled = async (): Promise<boolean> => {
      const row = await sandbox.session
        .tables<{ webhook_endpoints: { url: string; disabled_at: Date | null } }>()
        .selectFrom('webhook_endpoints')
        .select('disabled_at')
        .where('url', 'like', `http://127.0.0.1:${receiver.port}/%`)
        .executeTakeFirstOrThrow();
      return row.disabled_at !== null;
    };
    const fail = async (times: number): Promise<void> => {
      for (let count = 0; count < times; count += 1) await happen();
    };
    await fail(12);
    await expect.poll(() => receiver.requests.length).toBeGreaterThanOrEqual(12);
    expect(await isDisabled()).toBe(false);
    broken = false;
    await happen();
    await expect.poll(async () => receiver.requests.length).toBeGreaterThanOrEqual(13);
    clock.advanceSeconds(6 * 86_400);
    // The twelve that had failed are retried.
    await expect.poll(() => receiver.requests.length).toBeGreaterThanOrEqual(25);
    expect(await isDisabled()).toBe(false);
    broken = true;
    await fail(2);
    await expect.poll(() => receiver.requests.length).toBeGreaterThanOrEqual(27);
    clock.advanceSeconds(6 * 86_400);
    await fail(20);
    await expect.poll(isDisabled).toBe(true);
    const rows = await sandbox.session
      .tables<{ occurrences: { type: string; data: { endpoint_id: string; reason: string } } }>()
      .selectFrom('occurrences')
      .selectAll()
      .where('type', '=', 'webhook_endpoint.disabled')
      .execute();
    const ours = rows.filter(({ data }) => data.endpoint_id === endpointId);
    expect(ours.map(({ data }) => data.reason)).toEqual(['failing']);
  });
});
