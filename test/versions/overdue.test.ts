import { describe, expect, it } from 'vitest';
import { frozenVersions } from '../../src/contracts/api.ts';
import { lifecycleAt } from '../../src/versions/release-ledger.ts';
import { current, next, releaseAt } from '../support/build-versions.ts';

const at = (offsetMs: number): Date => new Date(releaseAt.getTime() + offsetMs);

describe('an overdue release', () => {
  it('stays overdue after a rehearsal of it was taken back: the calendar releases what is frozen only', () => {
    const rehearsal = { version: next, rehearsal: true, contractSha256: '', actor: '', reason: '' };
    const row = { ...rehearsal, number: 1, kind: 'release', effectiveAt: at(0), decidedAt: at(0) } as const;
    const undo = { ...row, number: 2, kind: 'undo', effectiveAt: at(1) } as const;
    expect(lifecycleAt(frozenVersions(), [row], at(2))).toMatchObject({ current: next, rehearsal: true });
    expect(lifecycleAt(frozenVersions(), [row, undo], at(2))).toMatchObject({ current, overdue: true });
  });
});
