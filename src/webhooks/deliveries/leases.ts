import type { Context } from '../../environments/environment.ts';
import type { Given, Lanes } from './lanes.ts';
import { hasPending, type Lease, leaseLanes, releaseLanes, renewLanes } from './store.ts';

/** Which endpoints are this worker's. While a lease lasts, no other worker sends to its endpoint. */
export interface Leases {
  /** Takes endpoints that have something due and no lease, as many as there is room for, round-robin over organizations. */
  take(): Promise<void>;
  /** To be called often: it acts when the last time was long enough ago. */
  renewInTime(): Promise<void>;
  /** Resolves to true if others may now take the places that were given back. */
  giveBackIdle(): Promise<boolean>;
  giveBackAll(): Promise<void>;
}

export interface LeaseOptions {
  context: Pick<Context, 'session' | 'clock'>;
  /** This worker's id, unique among those on the same database. */
  worker: string;
  lanes: Lanes;
  lanesPerOrganizationMax: number;
}

/** Others take over so long after a worker has died. One that lives renews in time. */
const LEASE_MS = 10_000;
const RENEW_MS = 3_000;

export function createLeases(options: LeaseOptions): Leases {
  const { worker, lanes, lanesPerOrganizationMax } = options;
  const { session, clock } = options.context;
  let renewedAtMs = performance.now();

  function fromNow(): Lease {
    const now = clock.now();
    return { worker, now, until: new Date(now.getTime() + LEASE_MS) };
  }

  /** An endpoint whose lease was lost belongs to another worker: what is in flight ends, and nothing more begins. */
  async function renew(): Promise<void> {
    const held = lanes.ids();
    if (held.length === 0) return;
    const ours = new Set(await renewLanes(session, fromNow(), held));
    lanes.drop(held.filter((id) => !ours.has(id)));
  }

  async function giveBack(given: readonly Given[]): Promise<void> {
    if (given.length === 0) return;
    const now = clock.now();
    const released = given.map(({ endpointId, freeAtMs }) => {
      const aheadMs = freeAtMs - performance.now();
      return { endpointId, notBefore: aheadMs > 0 ? new Date(now.getTime() + aheadMs) : null };
    });
    await releaseLanes(session, worker, released, now);
    lanes.drop(given.map(({ endpointId }) => endpointId));
  }

  return {
    async take() {
      const room = lanes.room();
      if (room <= 0) return;
      // A worker with nothing to do asks four times a second. To find out that all is sent costs a tenth of the search, which
      // the embedded database has to plan each time.
      if (lanes.isEmpty() && !(await hasPending(session))) return;
      const share = { room, perOrganization: lanes.perOrganization(), lanesPerOrganizationMax };
      lanes.add(await leaseLanes(session, fromNow(), share), performance.now());
    },
    async renewInTime() {
      const nowMs = performance.now();
      if (nowMs - renewedAtMs < RENEW_MS) return;
      renewedAtMs = nowMs;
      await renew();
    },
    async giveBackIdle() {
      const idle = lanes.idle(performance.now());
      const othersWait = idle.length > 0 && lanes.isCrowded();
      await giveBack(idle);
      return othersWait;
    },
    giveBackAll: () => giveBack(lanes.all(performance.now())),
  };
}
