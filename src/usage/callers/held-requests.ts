import { hexOf } from '../../kernel/digest.ts';
import type { OAuthClientId } from '../../oauth/types.ts';
import type { NewFailure } from '../failures/keep-failures.ts';
import type { Use } from '../types.ts';

/** What a request tells about its caller: a token that it presented, or a client that it merely named. */
export type CallerClaim = { kind: 'token'; digest: Buffer } | { kind: 'client'; clientId: OAuthClientId };

/** A version that a release has removed, and when. */
export interface RemovedVersion {
  version: string;
  at: Date;
}

/** A failed request whose caller is not known. */
export interface EndedRequest {
  use: Readonly<Use>;
  failure: NewFailure;
  at: Date;
  /** The operation that a request for a removed version meant; null where that is not known. */
  meantOperation: string | null;
  /** The version that it asked for, if a release has removed it. */
  removed: RemovedVersion | null;
}

export interface HeldRequest extends EndedRequest {
  claim: CallerClaim;
}

/** Failed requests that wait until their callers are looked up, after their answers. */
export interface HeldRequests {
  /** Returns false if there is no room for the request: it is recorded without a caller. */
  hold(request: HeldRequest): boolean;
  take(): HeldRequest[];
}

/** Look-ups a second and node. Strangers who invent clients leave room for those who present tokens. */
export const LOOK_UPS_MAX: Readonly<Record<CallerClaim['kind'], number>> = { token: 70, client: 30 };

/** Requests that wait at once: those of one caller need one look-up, however many they are. */
const HELD_MAX = 2_000;

export function createHeldRequests(nowMs: () => number, heldMax = HELD_MAX): HeldRequests {
  let held: HeldRequest[] = [];
  let keys = new Set<string>();
  const mayLookUp = {
    token: createRate(LOOK_UPS_MAX.token, nowMs),
    client: createRate(LOOK_UPS_MAX.client, nowMs),
  };
  return {
    hold(request) {
      if (held.length >= heldMax) return false;
      const key = keyOf(request.claim);
      if (!keys.has(key) && !mayLookUp[request.claim.kind]()) return false;
      keys.add(key);
      held.push(request);
      return true;
    },
    take() {
      const taken = held;
      [held, keys] = [[], new Set()];
      return taken;
    },
  };
}

export function keyOf(claim: CallerClaim): string {
  return claim.kind === 'token' ? hexOf(claim.digest) : claim.clientId;
}

/** True so many times a second. */
function createRate(perSecondMax: number, nowMs: () => number): () => boolean {
  let second = Number.NaN;
  let count = 0;
  return () => {
    const now = Math.floor(nowMs() / 1_000);
    if (now !== second) [second, count] = [now, 0];
    count += 1;
    return count <= perSecondMax;
  };
}
