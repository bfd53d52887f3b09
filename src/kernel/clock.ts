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
