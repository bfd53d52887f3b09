import { AggregatorRegistry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { frozenVersions } from '../../src/contracts/api.ts';
import { lifecycleAt } from '../../src/releases/release-ledger.ts';
import { createServedVersions, type ServedVersions } from '../../src/releases/served-versions.ts';
import { createOverdueAlarm, type OverdueRelease } from '../../src/releases/version-life.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { anyEngine } from '../support/database/databases.ts';
import { current, next, releaseAt } from '../support/service/build-versions.ts';
import { createTestClock } from '../support/service/test-clock.ts';
import { startTestService } from '../support/service/test-service.ts';

const at = (offsetMs: number): Date => new Date(releaseAt.getTime() + offsetMs);
const DAY_MS = 24 * 60 * 60 * 1000;

describe('an overdue release', () => {
  function watch(frozen = frozenVersions()) {
    const clock = createTestClock(at(-1).toISOString());
    const versions = createServedVersions(frozen, clock) as ServedVersions;
    const heard: OverdueRelease[] = [];
    const look = createOverdueAlarm(versions, clock, (release) => heard.push(release));
    const lookAt = (offsetMs: number): number => {
      clock.set(at(offsetMs));
      look();
      return heard.length;
    };
    return { versions, clock, heard, lookAt };
  }

  it('is detected at its very instant, without a new row in the ledger', () => {
    const { versions, clock } = watch();
    expect(versions.lifecycle().overdue).toBe(false);
    clock.set(at(0));
    expect(versions.lifecycle()).toMatchObject({ overdue: true, next });
  });

  it('is logged when it begins, then once a day, and again when its release was undone', () => {
    const { versions, heard, lookAt } = watch();
    expect([-1, 0, 1, DAY_MS - 1, DAY_MS, DAY_MS + 1, 2 * DAY_MS].map(lookAt)).toEqual([0, 1, 1, 1, 2, 2, 3]);
    expect(heard[0]).toEqual({ version: next, dueAt: releaseAt });
    const decision = {
      number: 1,
      rehearsal: true,
      contractSha256: '',
      folderSha256: null,
      actor: '',
      reason: '',
    };
    const row = {
      ...decision,
      kind: 'release',
      version: next,
      decidedAt: at(0),
      effectiveAt: at(0),
    } as const;
    versions.follow([row]);
    expect(lookAt(2 * DAY_MS + 1)).toBe(3);
    versions.follow([row, { ...row, number: 2, kind: 'undo' }]);
    expect(lookAt(2 * DAY_MS + 2)).toBe(4);
  });

  it('stays overdue after a rehearsal was undone: the calendar releases frozen versions only', () => {
    const rehearsal = {
      version: next,
      rehearsal: true,
      contractSha256: '',
      folderSha256: null,
      actor: '',
      reason: '',
    };
    const row = { ...rehearsal, number: 1, kind: 'release', effectiveAt: at(0), decidedAt: at(0) } as const;
    const undo = { ...row, number: 2, kind: 'undo', effectiveAt: at(1) } as const;
    expect(lifecycleAt(frozenVersions(), [row], at(2))).toMatchObject({ current: next, rehearsal: true });
    expect(lifecycleAt(frozenVersions(), [row, undo], at(2))).toMatchObject({ current, overdue: true });
  });

  it('does not exist where the version is frozen and is released on time', () => {
    const { versions, lookAt } = watch([...frozenVersions(), next]);
    expect([-1, 0, DAY_MS].map(lookAt)).toEqual([0, 0, 0]);
    expect(versions.current()).toBe(next);
  });

  it('is in the metrics and the log of a running service, once and not per request', async () => {
    const service = await startTestService(anyEngine);
    const gauges = async (): Promise<Record<string, number>> => {
      const text = await (await service.call('production', '/metrics')).text();
      const lines = text.matchAll(/^dateline_release_(\w+)\{environment="production"\} (\S+)$/gm);
      return Object.fromEntries([...lines].map(([, name, value]) => [name, Number(value)]));
    };
    const plannedAtSeconds = releaseAt.getTime() / 1000;
    expect(await gauges()).toEqual({ overdue: 0, planned_timestamp_seconds: plannedAtSeconds });
    const warnings = () => service.logLines.filter((line) => line.includes('release overdue'));
    expect(warnings()).toEqual([]);
    service.clock.set(at(1));
    expect(await gauges()).toEqual({ overdue: 1, planned_timestamp_seconds: plannedAtSeconds });
    await expect.poll(() => warnings().length, { timeout: 10_000 }).toBe(2);
    for (let index = 0; index < 5; index += 1) await service.call('production', '/versions');
    expect(
      warnings().map((line) => {
        const { level, environment, version, due_at } = JSON.parse(line);
        return { level, environment, version, due_at };
      }),
    ).toEqual(
      expect.arrayContaining(
        ['production', 'sandbox'].map((environment) => ({
          level: 'warn',
          environment,
          version: next,
          due_at: releaseAt.toISOString(),
        })),
      ),
    );
    expect(warnings()).toHaveLength(2);
    await service.stop();
  });

  it('is not summed over workers, and has no planned time where nothing is planned', async () => {
    const workers = [1, 2].map(() => {
      const metrics = createMetrics('sandbox');
      metrics.watchRelease(() => ({ overdue: true, nextReleaseAt: releaseAt }));
      return metrics.registry.getMetricsAsJSON();
    });
    const text = await AggregatorRegistry.aggregate(await Promise.all(workers)).metrics();
    expect(text).toMatch(/^dateline_release_overdue\{environment="sandbox"\} 1$/m);
    expect(text).toContain(
      `dateline_release_planned_timestamp_seconds{environment="sandbox"} ${releaseAt.getTime() / 1000}\n`,
    );
    const unplanned = createMetrics('sandbox');
    unplanned.watchRelease(() => ({ overdue: true, nextReleaseAt: null }));
    expect(await unplanned.registry.metrics()).not.toMatch(/^dateline_release_planned_timestamp_seconds\{/m);
  });
});
