import { describe, expect, it } from 'vitest';
import { itInLongRuns } from '../support/run/in-long-runs.ts';
import { isAcknowledged } from '../support/standbys/ender.ts';
import { type Exploration, eventsIn, explore } from '../support/standbys/explore.ts';
import { leaseModel } from '../support/standbys/lease-model.ts';
import { type Bounds, COMPLETE, type Rules, SMALL } from '../support/standbys/rules.ts';
import { type State, showsEnd } from '../support/standbys/state.ts';

type SomeBounds = Partial<Bounds>;

/** Small worlds, in each of which every order of events is looked at. */
const ONE_OF_EACH: SomeBounds = {};
const THREE_RENEWALS: SomeBounds = { renewals: 3 };
const A_RESTART: SomeBounds = { connections: [0, 0], restarts: 1 };
const LATE_WRITES: SomeBounds = { losses: 1, givingUps: 1 };
const A_PROMOTION: SomeBounds = { promotions: 1 };
const A_PROMOTION_THAT_LOSES: SomeBounds = { promotions: 1, isSynchronous: false };
const TWO_ENDERS: SomeBounds = { enders: ['own', 'own'], endersDelete: true };
const ONE_ACCESS_ENDED_TWICE: SomeBounds = { enders: ['own', 'same'] };
const A_SLOW_CLOCK: SomeBounds = { leaseTicks: 3, waitTicks: 4, missedTickIn: 4, renewals: 1 };

/** Where a promise has to hold before any time is over, there are fewer orders of events without time. */
const AT_ONCE: SomeBounds = { timePasses: false };
const A_BALANCER: SomeBounds = { ...AT_ONCE, connections: [0, -1], standbys: 2 };
const A_PROMOTION_AND_A_LOSS: SomeBounds = { ...AT_ONCE, promotions: 1, losses: 1 };
const A_SHARED_WAIT: SomeBounds = { ...AT_ONCE, enders: ['own', 'own'], sharedWait: true };
const TWO_PRIMARIES: SomeBounds = { ...AT_ONCE, promotions: 1, oldPrimaryLives: true };

function isBroken(state: State): boolean {
  return state.isBroken;
}

function look(bounds: SomeBounds, rules: Partial<Rules> = {}): Exploration {
  return explore(leaseModel({ rules: { ...COMPLETE, ...rules }, bounds: { ...SMALL, ...bounds } }), isBroken);
}

describe('a read that began after an end of access was acknowledged', () => {
  it.each([
    ['three renewals', THREE_RENEWALS, 13_000],
    ['two connections and a restart of the standby', A_RESTART, 12_000],
    ['a balancer that leads to one of two standbys', A_BALANCER, 20_000],
    ['a write that is carried out late or never, and a reader that gives up', LATE_WRITES, 18_000],
    ['a promotion', A_PROMOTION, 22_000],
    ['an access that is ended twice', ONE_ACCESS_ENDED_TWICE, 13_000],
    ['two enders that share a wait', A_SHARED_WAIT, 13_000],
    ['a reader whose clock is slower by a quarter', A_SLOW_CLOCK, 2_500],
  ])('does not find it alive, in any order of events, with %s', holdsIn);

  itInLongRuns.each([
    ['a promotion, and a write whose outcome is unknown', A_PROMOTION_AND_A_LOSS, 33_000],
    ['a promotion that loses leases', A_PROMOTION_THAT_LOSES, 45_000],
    ['two enders that delete rows', TWO_ENDERS, 44_000],
    ['a balancer and a restart', { ...A_BALANCER, ...A_RESTART, ...AT_ONCE }, 48_000],
    ['two late writes, and two givings up', { losses: 2, givingUps: 2, renewals: 3 }, 500_000],
    ['two enders, and late writes', { ...TWO_ENDERS, ...LATE_WRITES }, 200_000],
    ['two enders, and three renewals', { ...TWO_ENDERS, ...THREE_RENEWALS }, 300_000],
    ['two enders, and leases of two ticks', { ...TWO_ENDERS, leaseTicks: 2, waitTicks: 2 }, 100_000],
    ['two enders, and a slow clock', { ...TWO_ENDERS, ...A_SLOW_CLOCK }, 35_000],
    ['two enders, and a promotion', { ...TWO_ENDERS, ...A_PROMOTION, ...AT_ONCE }, 130_000],
    ['a promotion, and restarts', { ...A_PROMOTION, ...A_RESTART }, 120_000],
    ['a promotion, and late writes', { ...A_PROMOTION, ...LATE_WRITES }, 190_000],
  ])('does not find it alive in larger worlds either, with %s', holdsIn);

  function holdsIn(_what: string, bounds: SomeBounds, statesMin: number): void {
    const { states, trace } = look(bounds);
    expect(trace).toBe(undefined);
    expect(states).toBeGreaterThan(statesMin);
  }
});

describe('the model', () => {
  it.each<[string, SomeBounds, Partial<Rules>]>([
    ['a connection need only show the row, and not replay P', ONE_OF_EACH, { positionIsReplayed: false }],
    ['P is read before the renewal has returned', ONE_OF_EACH, { positionIsReadAfterReturn: false }],
    [
      'one connection that shows a renewal is enough for all',
      { ...A_BALANCER, connections: [0, 1] },
      { eachConnectionShows: false },
    ],
    ['a connection that is opened after a restart is used at once', A_RESTART, { newConnectionsShow: false }],
    ['a connection to a balancer’s other server is used at once', A_BALANCER, { newConnectionsShow: false }],
    [
      'a connection is accepted by a renewal before the one that was reported',
      { restarts: 1 },
      { olderThanReportedCountsNot: false },
    ],
    [
      'a renewal is reported before laggards are dropped',
      { connections: [0, 0] },
      { laggardsAreDroppedFirst: false },
    ],
    ['a lease runs from when a connection has shown it', ONE_OF_EACH, { leaseRunsFrom: 'showing' }],
    [
      'a lease runs from the return of the renewal, and enders delete rows',
      { ...TWO_ENDERS, renewals: 1 },
      { leaseRunsFrom: 'return' },
    ],
    [
      'nobody looks at the clock, neither before sending a read nor at its answer',
      ONE_OF_EACH,
      { timeIsCheckedWhenSent: false, timeIsCheckedWhenArrived: false },
    ],
    ['an ender reads the rows before its commit', ONE_OF_EACH, { rowsAreReadAfterReturn: false }],
    ['an ender does not wait for a later renewal', ONE_OF_EACH, { laterRenewalIsAwaited: false }],
    ['an ender’s wait runs from the sending of its commit', ONE_OF_EACH, { waitRunsFrom: 'sending' }],
    [
      'an ender’s wait runs from the return of its commit, and it deletes the row',
      { ...TWO_ENDERS, renewals: 1 },
      { waitRunsFrom: 'return' },
    ],
    ['a wait is joined that has read the rows', A_SHARED_WAIT, { sharedWaitIsJoinedBeforeReading: false }],
    ['an ender deletes a row that was renewed', TWO_ENDERS, { onlyUnchangedRowsAreDeleted: false }],
    ['a reader deletes its row, and then stops', { givingUps: 1 }, { readerStopsBeforeDeleting: false }],
    ['a number is used again', { ...A_PROMOTION, ...AT_ONCE }, { numbersAreUsedOnce: false }],
    [
      'a renewal counts that has not returned',
      { ...A_PROMOTION, ...AT_ONCE },
      { onlyReturnedRenewalsCount: false },
    ],
    [
      'an ender that finds the access ended does not wait',
      ONE_ACCESS_ENDED_TWICE,
      { endedAlreadyIsAwaited: false },
    ],
    ['an ender does not wait for anybody', ONE_OF_EACH, { rowsAreAwaited: false }],
    ['a late write lowers the renewal', { ...AT_ONCE, losses: 1 }, { renewalsOnlyRise: false }],
    [
      'a late deletion takes a newer row',
      { ...LATE_WRITES, ...AT_ONCE },
      { readerDeletesNothingNewer: false },
    ],
    [
      'a renewal counts whose answer came after the next was sent',
      A_PROMOTION_AND_A_LOSS,
      { onlyLastRenewalCounts: false },
    ],
    [
      'a new timeline is not waited out, and the promotion loses leases',
      A_PROMOTION_THAT_LOSES,
      { newTimelineIsWaitedOut: false },
    ],
    ['a clock is slower than promised', { ...A_SLOW_CLOCK, missedTickIn: 3 }, {}],
    ['a wait is shorter than promised', { ...A_SLOW_CLOCK, waitTicks: 3 }, {}],
    ['a lease is longer than promised', { ...A_SLOW_CLOCK, leaseTicks: 4 }, {}],
  ])('finds a read that breaks the promise where %s', (_what, bounds, leftOut) => {
    expect(look(bounds, leftOut).trace?.at(-1)).toBe('the answer arrives and is used');
  });

  it('tells the shortest order of events that breaks it', () => {
    expect(look(ONE_OF_EACH, { positionIsReplayed: false }).trace).toEqual([
      'the reader notes its clock and sends renewal 1',
      'renewal 1 is in the log',
      'end 1 is in the log',
      'end 1 returns',
      'ender 1 reads the rows, and sees renewal 0',
      'renewal 1 is visible',
      'renewal 1 returns',
      'standby 0 replays record 1',
      'a connection to standby 0 shows renewal 1',
      'a read on a connection to standby 0 finds the access alive',
      'the answer arrives and is used',
    ]);
  });

  it.each([
    ['before a read is sent', { timeIsCheckedWhenArrived: false }],
    ['when its answer has arrived', { timeIsCheckedWhenSent: false }],
  ])('finds that it is enough to look at the clock %s', (_when, leftOut) => {
    expect(look(ONE_OF_EACH, leftOut).trace).toBe(undefined);
  });

  it.each<[string, SomeBounds, Partial<Rules>]>([
    ['lease may run from the return of its renewal', ONE_OF_EACH, { leaseRunsFrom: 'return' }],
    ['wait may run from the return of the ender’s commit', ONE_OF_EACH, { waitRunsFrom: 'return' }],
  ])('finds that a %s where no ender deletes rows', (_what, bounds, leftOut) => {
    expect(look(bounds, leftOut).trace).toBe(undefined);
  });

  it('finds that a promotion can lose an end that its second ender has only seen, as with no standby at all', () => {
    const { trace } = look({ ...ONE_ACCESS_ENDED_TWICE, ...A_PROMOTION, ...AT_ONCE });
    expect(trace).toContain('ender 2 finds the access ended');
    expect(trace).not.toContain('end 1 returns');
  });
});

describe('an old primary that goes on after a promotion', () => {
  const shownRenewalHasReturned = true;

  it('breaks the promise: what it lets a standby show is not on the new one', () => {
    const { trace } = look(TWO_PRIMARIES);
    expect(trace).toContain('renewal 2 is in the log of the old primary');
  });

  it('breaks nothing where a connection has to show a renewal that has returned', () => {
    const { states, trace } = look(TWO_PRIMARIES, { shownRenewalHasReturned });
    expect(trace).toBe(undefined);
    expect(states).toBeGreaterThan(9_000);
  });

  it.each([
    ['a reader reads P', { positionIsReadWhereCommitted: false }],
    ['an ender reads the rows', { rowsAreReadWhereCommitted: false }],
  ])(
    'breaks the promise where %s on the other primary than the one that it has committed on',
    (_what, leftOut) => {
      const { trace } = look(TWO_PRIMARIES, { shownRenewalHasReturned, ...leftOut });
      expect(trace?.at(-1)).toBe('the answer arrives and is used');
    },
  );
});

describe('in the model', () => {
  function model(bounds: SomeBounds) {
    return leaseModel({ rules: COMPLETE, bounds: { ...SMALL, ...bounds } }, true);
  }

  it('an end is acknowledged in each of the four ways', () => {
    const events = eventsIn(model({ givingUps: 1 }));
    for (const way of [
      'ender 1 reads the rows, and sees renewal 0',
      'ender 1 finds shown = 2',
      'ender 1 finds the row gone',
      'ender 1 has waited long enough',
    ])
      expect(events).toContain(way);
  });

  it.each([
    ['with nothing besides', {}],
    ['after a restart', { restarts: 1 }],
    ['after a promotion', { promotions: 1 }],
  ])('a standby is read on after an end was acknowledged, %s', (_when, bounds) => {
    const { trace } = explore(model(bounds), ({ left, connections, standbys, primary, enders }) => {
      const [connection, standby] = [connections[0], standbys[0]];
      const isRead = connection && connection.accepted > 1 && standby && showsEnd(standby, primary, 1);
      return left.restarts + left.promotions === 0 && enders.every(isAcknowledged) && isRead === true;
    });
    expect(trace).toBeDefined();
  });
});
