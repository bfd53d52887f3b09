import {
  type ApiVersion,
  apiVersion,
  canonicalForm,
  compileApi,
  nextVersion,
  type OpenApiDocument,
  releaseInstant,
} from '@dateline/versions';
import { describe, expect, it, vi } from 'vitest';
import { apiSource } from '../../../src/contracts/api.ts';
import type { Context } from '../../../src/environments/environment.ts';
import { buildProblem } from '../../../src/releases/build-problem.ts';
import { createReleaseDesk, type Decision, type ReleaseRules } from '../../../src/releases/release-desk.ts';
import { type LedgerRow, lifecycleAt } from '../../../src/releases/release-ledger.ts';
import { createServedVersions, type ServedVersions } from '../../../src/releases/served-versions.ts';
import { readLedger } from '../../../src/releases/store.ts';
import { statement } from '../../../src/storage/statement.ts';
import { onEmbeddedFirst, onPostgresFirst } from '../../support/database/databases.ts';
import { answered } from '../../support/run/answered.ts';
import {
  afterNext,
  current,
  deprecated,
  homeTime,
  next,
  releaseAt,
} from '../../support/service/build-versions.ts';
import { createTestClock } from '../../support/service/test-clock.ts';
import { useTestEnvironments } from '../../support/service/test-environment.ts';
import { startTestService } from '../../support/service/test-service.ts';

const R = new Date('2027-01-05T17:00:00Z');
const [V2607, V2610, V2701, V2704] = ['2026-07', '2026-10', '2027-01', '2027-04'].map(apiVersion) as [
  ApiVersion,
  ApiVersion,
  ApiVersion,
  ApiVersion,
];
const frozen = [V2607, V2610];
const withNext = [...frozen, V2701];
const at = (offsetMs: number): Date => new Date(R.getTime() + offsetMs);

const three = (versions: readonly ApiVersion[], now: Date, ledger: readonly LedgerRow[] = []): string[] => {
  const lifecycle = lifecycleAt(versions, ledger, now);
  return lifecycle ? [lifecycle.deprecated, lifecycle.current, lifecycle.next] : [];
};

describe('the calendar', () => {
  it('[versions 66] flips once, at R, if Next is frozen; there are never two or four maintained', () => {
    expect(three(withNext, at(-1))).toEqual([V2607, V2610, V2701]);
    expect(three(withNext, at(0))).toEqual([V2610, V2701, V2704]);
    expect(three(withNext, at(1))).toEqual([V2610, V2701, V2704]);
  });

  it('[versions 66] does not flip to a version that is not frozen, and reports it overdue', () => {
    expect(lifecycleAt(frozen, [], at(-1))).toMatchObject({ current: V2610, overdue: false });
    expect(lifecycleAt(frozen, [], at(1))).toMatchObject({ current: V2610, overdue: true });
  });

  it('[versions 73] is followed forwards only, whatever the clock does', () => {
    const clock = createTestClock(at(-1).toISOString());
    const versions = createServedVersions(withNext, clock) as ServedVersions;
    clock.set(at(0));
    expect(versions.current()).toBe(V2701);
    clock.set(at(-5_000));
    expect(versions.current()).toBe(V2701);
  });

  it('is followed anew with another clock: one that was ahead leaves nothing behind', () => {
    const clock = createTestClock(at(60_000).toISOString());
    const versions = createServedVersions(withNext, clock) as ServedVersions;
    expect(versions.current()).toBe(V2701);
    clock.set(at(-60_000));
    versions.forgetTime();
    expect(versions.current()).toBe(V2610);
  });

  it('[versions 80] covers four quarters in a row, over the end of a year', () => {
    const versions = [...frozen];
    const seen: string[] = [];
    let version = V2701;
    for (const day of ['2027-01-05', '2027-04-06', '2027-07-06', '2027-10-05']) {
      versions.push(version);
      version = nextVersion(version);
      const lifecycle = lifecycleAt(versions, [], new Date(`${day}T17:00:00Z`));
      seen.push(lifecycle?.current ?? 'none');
      expect(lifecycle?.next).toBe(version);
    }
    expect(seen).toEqual(['2027-01', '2027-04', '2027-07', '2027-10']);
  });

  it.each(['Pacific/Kiritimati', 'Etc/GMT+12', 'Europe/Berlin'])(
    '[versions 74] is the same in the time zone %s',
    (zone) => {
      const before = process.env.TZ;
      process.env.TZ = zone;
      try {
        expect(three(withNext, at(-1))).toEqual([V2607, V2610, V2701]);
        expect(three(withNext, at(0))).toEqual([V2610, V2701, V2704]);
      } finally {
        if (before === undefined) delete process.env.TZ;
        else process.env.TZ = before;
      }
    },
  );
});

describe('a quarter without changes', () => {
  it('[versions 79] has a version of its own that costs nothing and answers like the one before', () => {
    const api = compileApi(apiSource());
    const [before, after] = [api.get(next), api.get(afterNext)];
    expect([...(after?.operations.keys() ?? [])]).toEqual([...(before?.operations.keys() ?? [])]);
    for (const { upgradeRequest, downgradeResponse } of before?.operations.values() ?? []) {
      expect([upgradeRequest, downgradeResponse]).toEqual([null, null]);
    }
    const event = { kind: 'product.created', data: { id: 'prd_x' } };
    expect(before?.downgradeEvent(event)).toEqual(after?.downgradeEvent(event));
  });
});

describe('a build', () => {
  const hashes = new Map([V2607, V2610, V2701].map((version) => [version, `hash of ${version}`] as const));
  const lifecycle = lifecycleAt(frozen, [], new Date('2026-11-15')) as NonNullable<
    ReturnType<typeof lifecycleAt>
  >;
  const row = (contractSha256: string): LedgerRow => ({
    number: 1,
    kind: 'release',
    version: V2610,
    effectiveAt: new Date('2026-10-06T17:00:00Z'),
    rehearsal: false,
    contractSha256,
    folderSha256: null,
    actor: 'operator',
    reason: '',
    decidedAt: new Date('2026-10-06T17:00:00Z'),
  });

  const problem = (ledger: LedgerRow[], held: ReadonlyMap<ApiVersion, string> = hashes) =>
    buildProblem({ lifecycle, ledger, now: new Date('2026-11-15') }, held);

  it('may serve when it holds the maintained versions, as they were released', () => {
    expect(problem([row('hash of 2026-10')])).toBeNull();
  });

  it('may not serve when it lacks a maintained version, or holds another contract than the released one', () => {
    const lacking = new Map([...hashes].filter(([version]) => version !== V2607));
    expect(problem([], lacking)).toContain('lacks the contract of 2026-07');
    expect(problem([row('another')])).toContain('has a different contract of 2026-10');
  });

  it('may not serve when a newer build has released a version that this one has not frozen', () => {
    const released = { ...row('hash of 2027-01'), version: V2701, effectiveAt: new Date('2026-11-14') };
    expect(problem([released])).toContain('2027-01 was released, and this build has not frozen it');
    expect(problem([{ ...released, rehearsal: true }])).toBeNull();
    expect(problem([{ ...released, effectiveAt: new Date('2026-11-16') }])).toBeNull();
    const undone = { ...released, kind: 'undo' as const, effectiveAt: new Date('2026-11-14T01:00:00Z') };
    expect(problem([released, undone])).toBeNull();
  });
});

/** The desk of one environment. */
/** Contracts by version, with a hash of each. */
function hashed(...versions: ApiVersion[]): ReadonlyMap<ApiVersion, string> {
  return new Map(versions.map((version) => [version, `hash of ${version}`]));
}

function deskIn(context: Context, rules: ReleaseRules) {
  const desk = createReleaseDesk(rules);
  return {
    plan: () => desk.plan(context),
    run: (decision: Decision) => desk.run(context, decision),
    schedule: (at: Date, decision: Decision) => desk.schedule(context, at, decision),
    undo: (decision: Decision) => desk.undo(context, decision),
  };
}

onEmbeddedFirst('the release desk', (engine) => {
  const environments = useTestEnvironments(engine);

  function open(change: Partial<ReleaseRules> = {}, environment: 'production' | 'sandbox' = 'production') {
    const context = environments[environment];
    const { database } = context;
    const versions = createServedVersions(change.frozen ?? withNext, context.clock) as ServedVersions;
    const desk = deskIn(context, {
      frozen: withNext,
      held: hashed(V2607, V2610, V2701, V2704),
      rehearsals: false,
      windowed: true,
      ...change,
    });
    const now = async (): Promise<string[]> => {
      versions.follow(await readLedger(database));
      const { deprecated, current, next } = versions.lifecycle();
      return [deprecated, current, next];
    };
    return { desk, now, ledger: () => readLedger(database) };
  }

  const decision = { actor: 'operator', reason: 'because' };

  it('rejects a release outside the window, or of a version that is not frozen, and writes nothing', async () => {
    environments.clock.set('2026-11-15T12:00:00Z');
    const { desk, ledger } = open();
    await expect(desk.run(decision)).rejects.toThrow('first week of January, April, July and October');
    await expect(desk.run({ ...decision, outsideWindow: true, reason: '' })).rejects.toThrow(
      'needs a reason',
    );
    await expect(open({ frozen }).desk.run({ ...decision, outsideWindow: true })).rejects.toThrow(
      '2027-01 is not frozen',
    );
    expect(await ledger()).toEqual([]);
  });

  it('[versions 77] plans without writing', async () => {
    const { desk, ledger } = open();
    expect(await desk.plan()).toMatchObject({
      target: V2701,
      plannedAt: R,
      windowOpen: false,
      obstacle: expect.stringContaining('first week'),
    });
    expect(await ledger()).toEqual([]);
  });

  it('[versions 75] releases once, three seconds ahead, when requested twice; [versions 78] and undoes it once', async () => {
    const { clock } = environments;
    clock.set('2027-01-04T09:00:00Z');
    const { desk, now, ledger } = open();
    const first = await desk.run(decision);
    expect(first).toEqual({ version: V2701, effectiveAt: new Date('2027-01-04T09:00:03Z'), already: false });
    expect(await desk.run(decision)).toMatchObject({ version: V2701, already: true });
    clock.advanceSeconds(2.999);
    expect(await now()).toEqual([V2607, V2610, V2701]);
    clock.advanceSeconds(0.001);
    expect(await now()).toEqual([V2610, V2701, V2704]);
    expect(await desk.run(decision)).toMatchObject({ version: V2701, already: true });
    // What was released, a day before its date, is not planned any more.
    expect(await desk.plan()).toMatchObject({ target: V2704, plannedAt: releaseInstant(V2704) });
    expect(await ledger()).toHaveLength(1);
    expect((await ledger())[0]).toMatchObject({
      version: V2701,
      contractSha256: 'hash of 2027-01',
      folderSha256: null,
      actor: 'operator',
      rehearsal: false,
    });

    await desk.undo(decision);
    clock.advanceSeconds(3);
    expect(await now()).toEqual([V2607, V2610, V2701]);
    await expect(desk.undo(decision)).rejects.toThrow('undone already');
    // The calendar does not repeat what was undone; a decision does.
    clock.set(at(60_000));
    expect(await now()).toEqual([V2607, V2610, V2701]);
    expect(await desk.plan()).toMatchObject({ plannedAt: null, lifecycle: { overdue: true } });
    await desk.run(decision);
    clock.advanceSeconds(3);
    expect(await now()).toEqual([V2610, V2701, V2704]);
  });

  it('moves a release, and prevents the calendar from doing it earlier', async () => {
    const { clock } = environments;
    clock.set('2026-12-20T00:00:00Z');
    const { desk, now } = open({}, 'sandbox');
    await expect(desk.schedule(new Date('2026-12-20T00:00:01Z'), decision)).rejects.toThrow(
      'at least 3 seconds ahead',
    );
    await expect(desk.schedule(new Date('2027-01-20T00:00:00Z'), decision)).rejects.toThrow('first week');
    await desk.schedule(new Date('2027-01-07T08:00:00Z'), decision);
    clock.set(at(1));
    expect(await now()).toEqual([V2607, V2610, V2701]);
    clock.set('2027-01-07T08:00:00Z');
    expect(await now()).toEqual([V2610, V2701, V2704]);
  });
});

onEmbeddedFirst('the release desk, decision after decision', (engine) => {
  const environments = useTestEnvironments(engine);
  const decision = { actor: 'operator', reason: 'because' };
  const rules = { held: hashed(V2607, V2610, V2701, V2704) };

  /** A desk over an empty ledger. */
  async function open(change: Partial<ReleaseRules>) {
    const { database } = environments.sandbox;
    const { clock } = environments;
    await database.run(statement('forget_releases', 'delete from {schema}.releases'), []);
    const desk = (more: Partial<ReleaseRules> = {}) =>
      deskIn(environments.sandbox, {
        ...rules,
        frozen: withNext,
        rehearsals: false,
        windowed: false,
        ...change,
        ...more,
      });
    const now = async (known: readonly ApiVersion[] = change.frozen ?? withNext) =>
      three(known, clock.now(), await readLedger(database));
    return { clock, desk, now, ledger: () => readLedger(database) };
  }

  it('rejects the scheduling of a version that is not frozen, where it may not be rehearsed', async () => {
    const { clock, desk, ledger } = await open({ frozen });
    clock.set('2026-12-20T00:00:00Z');
    await expect(desk().schedule(new Date('2027-01-06T17:00:00Z'), decision)).rejects.toThrow(
      '2027-01 is not frozen',
    );
    expect(await ledger()).toEqual([]);
  });

  it('moves a release a second time: the earlier decision no longer counts', async () => {
    const { clock, desk, now } = await open({});
    clock.set('2026-12-20T00:00:00Z');
    await desk().schedule(new Date('2027-01-06T08:00:00Z'), decision);
    await desk().schedule(new Date('2027-01-07T08:00:00Z'), decision);
    clock.set('2027-01-07T07:59:59Z');
    expect(await now()).toEqual([V2607, V2610, V2701]);
    clock.set('2027-01-07T08:00:00Z');
    expect(await now()).toEqual([V2610, V2701, V2704]);
  });

  it('leaves the calendar as it was after a rehearsal, however that was decided', async () => {
    const { clock, desk, now } = await open({ frozen, rehearsals: true });
    clock.set('2026-12-20T00:00:00Z');
    await desk().schedule(new Date('2027-01-20T08:00:00Z'), decision);
    await desk().run(decision);
    clock.advanceSeconds(3);
    expect(await now()).toEqual([V2610, V2701, V2704]);
    // Meanwhile a build is deployed that has frozen the rehearsed version.
    await desk({ frozen: withNext }).undo(decision);
    clock.advanceSeconds(3);
    expect(await now(withNext)).toEqual([V2607, V2610, V2701]);
    clock.set(at(0));
    expect(await now(withNext)).toEqual([V2610, V2701, V2704]);
  });

  it('undoes what the calendar has released, also where a rehearsal was undone before', async () => {
    const { clock, desk, now } = await open({ frozen, rehearsals: true });
    clock.set('2026-11-20T00:00:00Z');
    await desk().run(decision);
    clock.advanceSeconds(3);
    await desk().undo(decision);
    await expect(desk().undo(decision)).rejects.toThrow('undone already');
    clock.advanceSeconds(3);
    await expect(desk().undo(decision)).rejects.toThrow('undone already');
    clock.set(at(60_000));
    expect(await now(withNext)).toEqual([V2610, V2701, V2704]);
    await desk({ frozen: withNext }).undo(decision);
    clock.advanceSeconds(3);
    expect(await now(withNext)).toEqual([V2607, V2610, V2701]);
    await expect(desk({ frozen: withNext }).undo(decision)).rejects.toThrow('undone already');
  });

  it('[versions 75] releases once when requested twice, also a version that is late', async () => {
    const { clock, desk, now, ledger } = await open({ frozen, rehearsals: true });
    clock.set(at(24 * 3_600_000));
    // Its day has passed: no time is planned that lies in the past.
    expect(await desk().plan()).toMatchObject({
      target: V2701,
      plannedAt: null,
      lifecycle: { overdue: true },
    });
    expect(await desk().run(decision)).toMatchObject({ version: V2701, already: false });
    expect(await desk().run(decision)).toMatchObject({ version: V2701, already: true });
    clock.advanceSeconds(3);
    expect(await desk().run(decision)).toMatchObject({ version: V2701, already: true });
    expect(await now()).toEqual([V2610, V2701, V2704]);
    expect(await ledger()).toHaveLength(1);
    // A decision that names a version applies to that one only, released already or not.
    expect(await desk().run({ ...decision, version: V2701 })).toMatchObject({ already: true });
    await expect(desk().run({ ...decision, version: nextVersion(V2704) })).rejects.toThrow(
      'is not the next version; that is 2027-04',
    );
    await expect(desk().run({ ...decision, version: V2704 })).rejects.toThrow('lacks 2027-04');
  });
});

onPostgresFirst('a release on a running service', (engine) => {
  it('[versions 67] [versions 68] [versions 69] [versions 70] moves the sandbox at its instant, undo restores it, production stays', async () => {
    const service = await startTestService(engine);
    const token = { authorization: `Bearer ${service.quickstart.sandbox.access_token}` };
    const get = async (version?: string, environment: 'sandbox' | 'production' = 'sandbox') => {
      const headers = {
        ...(environment === 'sandbox' ? token : {}),
        ...(version ? { 'service-version': version } : {}),
      };
      const response = await service.call(
        environment,
        environment === 'sandbox' ? '/v1/products/' : '/versions',
        { headers },
      );
      const body = (await response.json()) as Record<string, unknown>;
      const { status, headers: got, url } = response;
      const deprecated = got.has('deprecation') && got.has('sunset');
      return answered({ status, version: got.get('service-version'), deprecated, reason: body.reason }, url);
    };
    const post = (path: string, environment: 'sandbox' | 'production' = 'sandbox') =>
      service.operate(environment, path, { method: 'POST', body: { reason: 'test' } });

    const refused = await post('/operator/release/run', 'production');
    expect([refused.status, await refused.json()]).toEqual([
      409,
      {
        error: 'conflict',
        detail: `${next} is not frozen in this build; only a frozen version can become Current here.`,
      },
    ]);
    const run = await post('/operator/release/run');
    expect([run.status, await run.json()]).toMatchObject([202, { version: next, already: false }]);
    // The node learns of the row by notification or poll; the clock stands still until the test moves it.
    await expect
      .poll(
        async () =>
          (
            (await (await service.call('sandbox', '/versions')).json()) as {
              versions: { becomes_current_at: string }[];
            }
          ).versions[2]?.becomes_current_at,
      )
      .toBe(new Date(Date.parse(homeTime) + 3_000).toISOString());
    service.clock.advanceSeconds(2.999);
    expect(await get()).toMatchObject({ status: 200, version: current });
    service.clock.advanceSeconds(0.001);
    expect(await get()).toMatchObject({ status: 200, version: next });
    expect(await get(deprecated)).toMatchObject({ status: 404, version: next, reason: 'removed' });
    expect(await get(current)).toMatchObject({ status: 200, version: current, deprecated: true });
    expect(await get(afterNext)).toMatchObject({ status: 200, version: afterNext, deprecated: false });
    expect(await (await service.call('sandbox', '/versions')).json()).toMatchObject({
      current: next,
      rehearsal: true,
    });
    expect(await get(undefined, 'production')).toMatchObject({ version: current });

    const contract = async (version: string): Promise<string> => {
      const response = await service.call('sandbox', `/versions/${version}/openapi.json`);
      return canonicalForm((await response.json()) as OpenApiDocument).replaceAll(version, 'X');
    };
    expect(await contract(afterNext)).toBe(await contract(next));
    const body = async (version: string): Promise<unknown> =>
      (
        await service.call('sandbox', '/v1/products/', { headers: { ...token, 'service-version': version } })
      ).json();
    expect(await body(afterNext)).toEqual(await body(next));

    expect((await post('/operator/release/undo')).status).toBe(202);
    await expect
      .poll(async () => {
        service.clock.advanceSeconds(3);
        return (await get()).version;
      })
      .toBe(current);
    expect(await get(deprecated)).toMatchObject({ status: 200, deprecated: true });
    const sunset = (
      await service.call('sandbox', '/versions', { headers: { 'service-version': deprecated } })
    ).headers.get('sunset');
    // A rehearsal that was undone leaves the calendar as it was.
    expect(sunset).toBe(releaseAt.toUTCString());
    expect(await get(afterNext)).toMatchObject({ status: 404, reason: 'unknown' });
    await service.stop();
  });

  it('[outside 13] dates nothing anew between the decision of an undo and its effect', async () => {
    const service = await startTestService(engine);
    const decide = (action: string) =>
      service.operate('sandbox', `/operator/release/${action}`, { method: 'POST', body: {} });
    const shown = async () => {
      const { versions } = (await (await service.call('sandbox', '/versions')).json()) as {
        versions: { state: string; becomes_current_at: string }[];
      };
      return versions.find(({ state }) => state === 'current');
    };
    const seen = async () => {
      const old = await service.call('sandbox', '/versions', { headers: { 'service-version': deprecated } });
      const pinned = await service.call('sandbox', '/versions', { headers: { 'service-version': current } });
      const body = (await old.json()) as { removed_at: string };
      return [await shown(), body.removed_at, pinned.headers.get('deprecation')];
    };
    await decide('run');
    const releasedAt = new Date(service.clock.now().getTime() + 3_000).toISOString();
    service.clock.advanceSeconds(4);
    await expect.poll(shown).toMatchObject({ version: next });
    const released = await seen();
    expect(released).toEqual([
      expect.objectContaining({ version: next, becomes_current_at: releasedAt }),
      releasedAt,
      `@${Math.floor(Date.parse(releasedAt) / 1000)}`,
    ]);
    expect((await decide('undo')).status).toBe(202);
    // The node reads the ledger about once a second; the second time from here it has followed the first.
    const run = vi.spyOn(await service.database('sandbox'), 'run');
    const reads = () => run.mock.calls.filter(([{ name }]) => name === 'read_ledger').length;
    await expect.poll(reads, { timeout: 10_000 }).toBeGreaterThanOrEqual(2);
    expect(await seen()).toEqual(released);
    service.clock.advanceSeconds(3);
    expect(await shown()).toMatchObject({ version: current });
    await service.stop();
  });
});
