import {
  type ApiVersion,
  apiVersion,
  createVersionSelector,
  nextVersion,
  parseApiVersion,
  previousVersion,
  releaseInstant,
} from '@dateline/versions';
import { describe, expect, it } from 'vitest';
import { describeLifecycle } from '../../src/releases/lifecycle.ts';
import { type Lifecycle, lifecycleAt } from '../../src/releases/release-ledger.ts';
import { createServedVersions, type ServedVersions } from '../../src/releases/served-versions.ts';
import { createTestClock } from '../support/service/test-clock.ts';

const at = (versions: readonly ApiVersion[], instant: string): Lifecycle =>
  lifecycleAt(versions, [], new Date(instant)) as Lifecycle;
const frozen = [apiVersion('2026-07'), apiVersion('2026-10'), apiVersion('2027-01')];

describe('a version', () => {
  it('is exactly YYYY-MM', () => {
    expect(parseApiVersion('2026-10')).toBe('2026-10');
    for (const text of [
      '2026-13',
      '2026-00',
      '2026-1',
      '202610',
      'v2026-10',
      '2026-10-01',
      '',
      ' 2026-10',
      '２０２６-10',
    ]) {
      expect(parseApiVersion(text)).toBeNull();
    }
  });

  it('has neighbours a quarter away, over the end of a year too', () => {
    expect(nextVersion(apiVersion('2026-10'))).toBe('2027-01');
    expect(previousVersion(apiVersion('2027-01'))).toBe('2026-10');
  });

  it.each([
    ['2026-07', '2026-07-07T17:00:00.000Z'],
    ['2026-10', '2026-10-06T17:00:00.000Z'],
    ['2027-01', '2027-01-05T17:00:00.000Z'],
    ['2028-02', '2028-02-01T17:00:00.000Z'],
  ])('%s is released on the first Tuesday of its month, 17:00 UTC', (version, instant) => {
    expect(releaseInstant(parseApiVersion(version) as never).toISOString()).toBe(instant);
  });
});

describe('the lifecycle', () => {
  it('makes the newest frozen version whose instant has passed Current', () => {
    expect(at(frozen, '2026-11-15')).toMatchObject({
      deprecated: '2026-07',
      current: '2026-10',
      next: '2027-01',
    });
    expect(at(frozen, '2027-01-05T16:59:59.999Z').current).toBe('2026-10');
    expect(at(frozen, '2027-01-05T17:00:00.000Z').current).toBe('2027-01');
  });

  it('does not move to a version that is not frozen', () => {
    expect(at(frozen.slice(0, 2), '2027-02-01').current).toBe('2026-10');
  });

  it('knows when each version becomes Current and when it is removed', () => {
    const [deprecated] = describeLifecycle(at(frozen, '2026-11-15'));
    expect(deprecated).toEqual({
      version: '2026-07',
      state: 'deprecated',
      becomesCurrentAt: new Date('2026-07-07T17:00:00.000Z'),
      removedAt: new Date('2027-01-05T17:00:00.000Z'),
    });
  });
});

describe('selecting a version', () => {
  const select = createVersionSelector(at(frozen, '2026-11-15'));

  it('serves the three maintained ones, and Current without a header', () => {
    for (const version of ['2026-07', '2026-10', '2027-01'])
      expect(select(version)).toEqual({ served: true, version, pinned: true });
    expect(select(undefined)).toEqual({ served: true, version: '2026-10', pinned: false });
  });

  it.each([
    ['2026-04', 'removed'],
    ['2027-04', 'unknown'],
    ['2026-11', 'unknown'],
    ['2026-02', 'unknown'],
    ['latest', 'malformed'],
    ['', 'malformed'],
    ['2026-10, 2026-10', 'malformed'],
    ['__proto__', 'malformed'],
  ])('rejects "%s" as %s', (requested, reason) => {
    expect(select(requested)).toEqual({ served: false, reason, requested });
  });

  it('follows the calendar while the service runs', () => {
    const clock = createTestClock('2027-01-05T16:59:59.999Z');
    const versions = createServedVersions(frozen, clock) as ServedVersions;
    expect(versions.select(undefined)).toMatchObject({ version: '2026-10' });
    clock.advanceSeconds(0.001);
    expect(versions.select(undefined)).toMatchObject({ version: '2027-01' });
    expect(versions.select('2026-07')).toMatchObject({ served: false, reason: 'removed' });
    expect(versions.supported()).toEqual(['2026-10', '2027-01', '2027-04']);
    clock.set('2026-11-15T00:00:00Z');
    expect(versions.select(undefined)).toMatchObject({ version: '2027-01' });
    clock.set('1970-01-01T00:00:00Z');
    expect(versions.select(undefined)).toMatchObject({ version: '2027-01' });
  });

  it('cannot begin with a clock before the first release', () => {
    expect(createServedVersions(frozen, createTestClock('2020-01-01T00:00:00Z'))).toBeNull();
  });
});
