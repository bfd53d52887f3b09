import type { Bounds } from './rules.ts';

/** A reader's row. Renewal 0: there is none. */
export interface Row {
  readonly renewal: number;
  readonly shown: number;
}

/** What a commit writes into the log: the end of an access, or what the row is from then on; a number, for speed. */
export type LogRecord = number;

export interface Primary {
  readonly log: readonly LogRecord[];
  /** Records that a promotion does not lose, counted from the first. */
  readonly keptLength: number;
  /** As others see it. */
  readonly row: Row;
  /** The log that a promotion left behind, and its length that is in the new one too. */
  readonly old: { readonly log: readonly LogRecord[]; readonly fork: number } | undefined;
}

export interface Standby {
  /** Records that it has replayed. */
  readonly position: number;
  /** Has replayed records of the old log beyond the fork. */
  readonly hasDiverged: boolean;
}

export interface Connection {
  /** -1: closed */
  readonly server: number;
  /** The renewal that it may be used by; 0: it may not. */
  readonly accepted: number;
  /** Ticks since that renewal was noted. */
  readonly age: number;
  /** A read is under way that began after the end was acknowledged, and has found the access alive. */
  readonly isStale: boolean;
}

export interface Write {
  readonly kind: 'renewal' | 'shown' | 'deletion';
  readonly renewal: number;
  readonly shown: number;
  readonly phase: 'sent' | 'logged' | 'visible' | 'returned';
  /** Records that were in the log when P was read, -1 before. */
  readonly position: number;
  readonly age: number;
  /** Where its record is. */
  readonly at: number;
}

/** A renewal whose commit has returned, and that connections are asked for. */
export interface Check {
  readonly renewal: number;
  readonly position: number;
  readonly age: number;
}

export interface Reader {
  readonly nextRenewal: number;
  readonly reported: number;
  /** The highest renewal whose commit has returned. */
  readonly returned: number;
  readonly write: Write | undefined;
  /** A write that the reader gave up on. It may still be carried out, or never. */
  readonly orphan: Write | undefined;
  /** The newest renewal first, and at most one that is older. */
  readonly checks: readonly Check[];
  /** Connections that were accepted by an older renewal are still to be dropped: only where a rule is left out. */
  readonly dropsBelow: number;
}

export type EnderPhase =
  | 'sent'
  | 'logged'
  | 'visible'
  | 'returned'
  | 'waiting'
  | 'joined'
  | 'acknowledged'
  | 'expired';

export interface Ender {
  readonly phase: EnderPhase;
  /** The renewal that its read of rows has seen. */
  readonly seen: number;
  /** Ticks of its wait. */
  readonly age: number;
}

export interface State {
  readonly primary: Primary;
  readonly standbys: readonly Standby[];
  readonly connections: readonly Connection[];
  readonly reader: Reader;
  readonly enders: readonly Ender[];
  /** How often what is rare may still happen. */
  readonly left: Pick<Bounds, 'restarts' | 'promotions' | 'losses' | 'givingUps'>;
  /** Ticks since the reader's clock missed one. */
  readonly sinceMissed: number;
  readonly sincePromotion: number;
  /** An answer was used that found an access alive, of a read that began after its end was acknowledged. */
  readonly isBroken: boolean;
}

export const NO_ROW: Row = { renewal: 0, shown: 0 };
export const NOT_READ = -1;

export function initialState(bounds: Bounds): State {
  return {
    primary: { log: [], keptLength: 0, row: NO_ROW, old: undefined },
    standbys: Array.from({ length: bounds.standbys }, () => ({ position: 0, hasDiverged: false })),
    connections: bounds.connections.map((server) => ({ server, accepted: 0, age: 0, isStale: false })),
    reader: {
      nextRenewal: 1,
      reported: 0,
      returned: 0,
      write: undefined,
      orphan: undefined,
      checks: [],
      dropsBelow: 0,
    },
    enders: bounds.enders.map(() => ({ phase: 'sent', seen: NOT_READ, age: 0 })),
    left: bounds,
    sinceMissed: 0,
    sincePromotion: 0,
    isBroken: false,
  };
}

const FIRST_ROW = 8;

export function endOf(access: number): LogRecord {
  return access;
}

export function recordOf(row: Row): LogRecord {
  return FIRST_ROW + row.renewal * 8 + row.shown;
}

/** The row after the first records of a log. */
export function rowIn(log: readonly LogRecord[], length = log.length): Row {
  for (let at = length - 1; at >= 0; at--) {
    const record = log[at] ?? 0;
    if (record >= FIRST_ROW) return { renewal: (record - FIRST_ROW) >> 3, shown: record & 7 };
  }
  return NO_ROW;
}

/** The log that a standby replays. */
export function logOf(standby: Standby, primary: Primary): readonly LogRecord[] {
  return standby.hasDiverged && primary.old ? primary.old.log : primary.log;
}

export function showsEnd(standby: Standby, primary: Primary, access: number): boolean {
  const at = logOf(standby, primary).indexOf(endOf(access));
  return at >= 0 && at < standby.position;
}
