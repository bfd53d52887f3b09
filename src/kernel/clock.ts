/** The only source of time in a room. Tests pass one that they move by hand. */
export interface Clock {
  now(): Date;
  /** The same as a number, for what every request asks: V8 makes a `Date` outside of its compiled code. */
  nowMs(): number;
}

/** As JWTs and introspection write an instant: whole seconds since 1970. */
export function unixSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}

export const systemClock: Clock = { now: () => new Date(), nowMs: Date.now };

/** A point in time of this process, from which time is measured and not told. */
export interface Moment {
  monotonicMs: number;
  wallMs: number;
}

export function thisMoment(): Moment {
  return { monotonicMs: performance.now(), wallMs: Date.now() };
}

/** The time that has passed, by the clock that says more: some machines stop one of the two while they sleep. */
export function msSince({ monotonicMs, wallMs }: Moment): number {
  return Math.max(performance.now() - monotonicMs, Date.now() - wallMs);
}
