import { describe, expect, it } from 'vitest';
import { examineStandbys } from '../../src/doctor/examine-standbys.ts';

const link = (name: string, problem: string | null, lagMs: number | null = null) => ({
  name,
  state: () => ({ problem, lagMs }),
});

describe('the standbys of a node', () => {
  it('are no finding where the settings name none', () => {
    expect(examineStandbys([])).toEqual([]);
  });

  it('are told with their lag', () => {
    expect(examineStandbys([link('one:5432/x', null, 3.4), link('two:5432/x', null)])).toEqual([
      {
        check: 'standbys',
        state: 'ok',
        message: 'Tokens are read from one:5432/x (3 ms behind), two:5432/x.',
      },
    ]);
  });

  it('are a warning as soon as one is not read from, with the reason', () => {
    expect(examineStandbys([link('one:5432/x', null, 3), link('two:5432/x', 'it lags')])).toEqual([
      {
        check: 'standbys',
        state: 'warning',
        message:
          'Tokens are not read from two:5432/x (it lags): the primary answers instead. See that the standby runs and keeps up, or correct DATABASE_READ_URLS.',
      },
    ]);
  });
});
