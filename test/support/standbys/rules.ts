/** What the protocol demands. A test leaves one out, and the model finds what happens then. */
export interface Rules {
  /** A connection has to have replayed P, besides showing the renewal. */
  readonly positionIsReplayed: boolean;
  readonly positionIsReadAfterReturn: boolean;
  /** One connection that shows a renewal is not enough for another that is open. */
  readonly eachConnectionShows: boolean;
  /** Nor is it for one that is opened later. */
  readonly newConnectionsShow: boolean;
  readonly olderThanReportedCountsNot: boolean;
  readonly laggardsAreDroppedFirst: boolean;
  /** From where the time of a lease is measured. */
  readonly leaseRunsFrom: 'sending' | 'return' | 'showing';
  readonly timeIsCheckedWhenSent: boolean;
  readonly timeIsCheckedWhenArrived: boolean;
  readonly rowsAreReadAfterReturn: boolean;
  readonly laterRenewalIsAwaited: boolean;
  /** From where the ender's wait is measured. */
  readonly waitRunsFrom: 'sending' | 'return' | 'reading';
  readonly sharedWaitIsJoinedBeforeReading: boolean;
  readonly onlyUnchangedRowsAreDeleted: boolean;
  readonly readerStopsBeforeDeleting: boolean;
  readonly numbersAreUsedOnce: boolean;
  readonly onlyReturnedRenewalsCount: boolean;
  readonly endedAlreadyIsAwaited: boolean;
  readonly rowsAreAwaited: boolean;
  /** A write that the reader gave up on, and that is carried out later, does not lower `renewal`. */
  readonly renewalsOnlyRise: boolean;
  /** A deletion that the reader gave up on, and that is carried out later, leaves a newer row. */
  readonly readerDeletesNothingNewer: boolean;
  /** A renewal's answer that comes after the next was sent changes nothing. */
  readonly onlyLastRenewalCounts: boolean;
  /** What a connection shows proves nothing before the reader knows that its commit has returned. */
  readonly shownRenewalHasReturned: boolean;
  /** P is read from the primary that the renewal was committed on, and the rows from the one that the end was. */
  readonly positionIsReadWhereCommitted: boolean;
  readonly rowsAreReadWhereCommitted: boolean;
  /** On a timeline that is new, nothing is acknowledged before the leases of the old one are over. */
  readonly newTimelineIsWaitedOut: boolean;
}

export const COMPLETE: Rules = {
  positionIsReplayed: true,
  positionIsReadAfterReturn: true,
  eachConnectionShows: true,
  newConnectionsShow: true,
  olderThanReportedCountsNot: true,
  laggardsAreDroppedFirst: true,
  leaseRunsFrom: 'sending',
  timeIsCheckedWhenSent: true,
  timeIsCheckedWhenArrived: true,
  rowsAreReadAfterReturn: true,
  laterRenewalIsAwaited: true,
  waitRunsFrom: 'reading',
  sharedWaitIsJoinedBeforeReading: true,
  onlyUnchangedRowsAreDeleted: true,
  readerStopsBeforeDeleting: true,
  numbersAreUsedOnce: true,
  onlyReturnedRenewalsCount: true,
  endedAlreadyIsAwaited: true,
  rowsAreAwaited: true,
  renewalsOnlyRise: true,
  readerDeletesNothingNewer: true,
  onlyLastRenewalCounts: true,
  shownRenewalHasReturned: false,
  positionIsReadWhereCommitted: true,
  rowsAreReadWhereCommitted: true,
  newTimelineIsWaitedOut: true,
};

/** How much there is of everything, so that a model has an end. */
export interface Bounds {
  /** The server of each connection at first, -1 where it is still to be opened. */
  readonly connections: readonly number[];
  /** Two where a balancer leads to either. */
  readonly standbys: number;
  readonly renewals: number;
  readonly restarts: number;
  readonly promotions: number;
  /** Whether a commit returns only when the standby has it that may be promoted. */
  readonly isSynchronous: boolean;
  /** Writes whose outcome the reader does not learn. */
  readonly losses: number;
  readonly givingUps: number;
  /** What each ender ends: an access of its own, or what the first one has ended already. */
  readonly enders: readonly ('own' | 'same')[];
  readonly sharedWait: boolean;
  /** Enders delete rows of readers that hang, which makes a difference only to other enders. */
  readonly endersDelete: boolean;
  /** The old primary goes on after a promotion, and may still be written to. */
  readonly oldPrimaryLives: boolean;
  readonly timePasses: boolean;
  /** In ticks of the reader's clock. */
  readonly leaseTicks: number;
  /** In ticks of the ender's. */
  readonly waitTicks: number;
  /** The reader's clock may miss one of as many ticks; 0 where it misses none. */
  readonly missedTickIn: number;
}

export const SMALL: Bounds = {
  connections: [0],
  standbys: 1,
  renewals: 2,
  restarts: 0,
  promotions: 0,
  isSynchronous: true,
  losses: 0,
  givingUps: 0,
  enders: ['own'],
  sharedWait: false,
  endersDelete: false,
  oldPrimaryLives: false,
  timePasses: true,
  leaseTicks: 1,
  waitTicks: 1,
  missedTickIn: 0,
};

export interface Case {
  readonly rules: Rules;
  readonly bounds: Bounds;
}
