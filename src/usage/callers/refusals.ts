import type { OAuthClientId } from '../../oauth/types.ts';

/** Requests for a version that a release has removed. */
export interface Refusals {
  version: string;
  /** Null for all requests whose caller is not known. */
  clientId: OAuthClientId | null;
  operation: string | null;
  /** When the version was removed. */
  since: Date;
  requests: number;
  lastAt: Date;
}

/** Counts refused requests in memory, until they are stored. */
export interface RefusalCounter {
  count(refused: Omit<Refusals, 'requests' | 'lastAt'>, at: Date): void;
  take(): Refusals[];
  /** Adds what was taken and could not be stored. */
  giveBack(refusals: readonly Refusals[]): void;
}

/** Some megabytes at most while the database is unreachable. */
const KEYS_MAX = 10_000;

export function createRefusalCounter(): RefusalCounter {
  let counted = new Map<string, Refusals>();

  function add(refusals: Refusals): void {
    const { version, clientId, operation, since, requests, lastAt } = refusals;
    const key = JSON.stringify([version, clientId, operation]);
    const known = counted.get(key);
    // A version that is removed again is counted anew.
    if (known?.since.getTime() === since.getTime()) {
      known.requests += requests;
      if (lastAt > known.lastAt) known.lastAt = lastAt;
    } else if (known ? known.since < since : counted.size < KEYS_MAX) counted.set(key, { ...refusals });
  }

  return {
    count: (refused, at) => add({ ...refused, requests: 1, lastAt: at }),
    take() {
      const taken = [...counted.values()];
      counted = new Map();
      return taken;
    },
    giveBack: (refusals) => refusals.forEach(add),
  };
}
