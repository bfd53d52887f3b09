/** The only source of time in a room. Tests pass one that they move by hand. */
export interface Clock {
  now(): Date;
}

/** As JWTs and introspection write an instant: whole seconds since 1970. */
export function unixSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}

export const systemClock: Clock = { now: () => new Date() };
