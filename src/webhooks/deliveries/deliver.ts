import { setTimeout as delay } from 'node:timers/promises';
import type { Environment } from '../../environments/environment.ts';
import { createMicroBatch } from '../../kernel/micro-batch.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { StorageUnavailableError } from '../../storage/storage-error.ts';
import { disableEndpoint } from '../endpoints/disable-endpoint.ts';
import { DELIVERIES_CHANNEL, type EndpointId } from '../types.ts';
import { type Attempted, type AttemptParts, attempt } from './attempt.ts';
import { createLanes, type Given, type LaneLimits, type Wanted } from './lanes.ts';
import { createSecretOpener } from './open-secrets.ts';
import {
  type DueEvent,
  type Lease,
  leaseLanes,
  pickDue,
  type Result,
  releaseLanes,
  renewLanes,
  type Settled,
  settle,
} from './store.ts';

export interface DeliveryOptions extends Omit<AttemptParts, 'scene' | 'openSecret'> {
  box: SecretBox;
  environment: Environment;
  /** Who this is, among all who deliver from the same database. */
  worker: string;
  limits?: Partial<LaneLimits>;
  /** Told about what went wrong outside of any attempt, such as a database that is away. */
  onTrouble(error: unknown): void;
  onAttempt(result: Result): void;
}

export interface Deliveries {
  /** Takes no more events, lets those in flight end within the limit, and gives the endpoints back. */
  stop(limitMs: number): Promise<void>;
}

const LIMITS: LaneLimits = {
  inFlightMax: 256,
  inFlightPerOrganizationMax: 128,
  inFlightPerEndpointMax: 8,
  lanesMax: 1_000,
  idleMs: 5_000,
};
const POLL_MS = 250;
const TROUBLE_PAUSE_MS = 1_000;
/** For an endpoint whose delivery fails on our side, such as for a key that this process does not have. */
const FAULT_PAUSE_MS = 10_000;
/** Others take over so long after a worker has died. One that lives renews in time. */
const LEASE_MS = 10_000;
const RENEW_MS = 3_000;
/** An endpoint that has failed for so long, and so often, is disabled. */
const FAILING_MS_MAX = 5 * 24 * 3_600_000;
const FAILURES_MAX = 10;

/**
 * Delivers what is due. A worker leases endpoints, not events: so each endpoint has one sender at a time, and its order,
 * its pace and its share are that sender's to keep. Signals wake it; what it rests on is looking again, four times a
 * second.
 */
export async function startDeliveries(options: DeliveryOptions): Promise<Deliveries> {
  const { environment, worker, onTrouble } = options;
  const { session, clock } = environment;
  const lanes = createLanes({ ...LIMITS, ...options.limits });
  const parts: AttemptParts = {
    ...options,
    scene: environment,
    openSecret: createSecretOpener(options.box),
  };
  const bell = createBell();
  const cutOff = new AbortController();
  const sending = new Set<Promise<void>>();
  let stopping = false;
  let signalled = true;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let renewedAtMs = performance.now();

  const lease = (): Lease => {
    const now = clock.now();
    return { worker, now, until: new Date(now.getTime() + LEASE_MS) };
  };

  const writeDown = createMicroBatch<Result, Settled>({
    run: async (results) => {
      const settled = new Map((await settle(session, results)).map((lane) => [lane.endpointId, lane]));
      return results.map(({ attempt: { endpointId } }) => settled.get(endpointId) as Settled);
    },
    sizeMax: 64,
    inFlightMax: 2,
    canBeOneKeysFault: (error) => !(error instanceof StorageUnavailableError),
  });

  /** One round: take endpoints, take events, start to send them, give back endpoints that have nothing. */
  async function turn(): Promise<void> {
    const nowMs = performance.now();
    if (signalled || nowMs - lookedAtMs >= POLL_MS) {
      signalled = false;
      lookedAtMs = nowMs;
      lanes.askAll();
      if (lanes.room() > 0) lanes.add(await leaseLanes(session, lease(), lanes.room()), nowMs);
    }
    if (nowMs - renewedAtMs >= RENEW_MS) await renew(nowMs);
    const wanted = lanes.wanted(performance.now());
    if (wanted.length > 0) await takeEvents(wanted);
    await giveBackIdle();
  }

  async function takeEvents(wanted: readonly Wanted[]): Promise<void> {
    const due = await pickDue(session, lease(), wanted, lanes.inFlight());
    lanes.started(wanted, due, performance.now());
    for (const event of due) {
      const sent = deliver(event).finally(() => sending.delete(sent));
      sending.add(sent);
    }
  }

  /** An endpoint whose lease was lost belongs to somebody else: what is in flight ends, and nothing more begins. */
  async function renew(nowMs: number): Promise<void> {
    renewedAtMs = nowMs;
    const held = lanes.ids();
    if (held.length === 0) return;
    const ours = new Set(await renewLanes(session, lease(), held));
    lanes.drop(held.filter((id) => !ours.has(id)));
  }

  async function giveBackIdle(): Promise<void> {
    await giveBack(lanes.idle(performance.now()));
  }

  async function giveBack(idle: readonly Given[]): Promise<void> {
    if (idle.length === 0) return;
    const now = clock.now();
    const aheadMs = (freeAtMs: number): number => freeAtMs - performance.now();
    const released = idle.map(({ endpointId, freeAtMs }) => ({
      endpointId,
      notBefore: aheadMs(freeAtMs) > 0 ? new Date(now.getTime() + aheadMs(freeAtMs)) : null,
    }));
    await releaseLanes(session, worker, released, now);
    lanes.drop(idle.map(({ endpointId }) => endpointId));
  }

  async function deliver(event: DueEvent): Promise<void> {
    let failed = true;
    try {
      const attempted = await attempt(parts, event, cutOff.signal);
      failed = attempted !== null && attempted.result.state !== 'delivered';
      if (attempted) await conclude(attempted);
    } catch (error) {
      onTrouble(error);
      // Nothing was written, so it is due at once: not here, where the same would happen again.
      if (!(error instanceof StorageUnavailableError))
        lanes.pause(event.endpointId, performance.now() + FAULT_PAUSE_MS);
    } finally {
      lanes.finished(event, { failed }, performance.now());
      bell.ring();
    }
  }

  async function conclude({ result, gone, pauseMs }: Attempted): Promise<void> {
    const { endpointId } = result.attempt;
    if (pauseMs > 0) lanes.pause(endpointId, performance.now() + pauseMs);
    const { failingSince, failureCount } = await untilStored(() => writeDown(result));
    options.onAttempt(result);
    if (gone) return disable(endpointId, 'gone');
    const failingMs = failingSince === null ? 0 : clock.now().getTime() - failingSince.getTime();
    if (failingMs >= FAILING_MS_MAX && failureCount >= FAILURES_MAX) await disable(endpointId, 'failing');
  }

  async function disable(endpointId: EndpointId, reason: 'gone' | 'failing'): Promise<void> {
    await untilStored(() => environment.transaction((inside) => disableEndpoint(inside, endpointId, reason)));
  }

  /** The receiver has the event already: to forget that because the database is away would send it again. */
  async function untilStored<Value>(work: () => Promise<Value>): Promise<Value> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof StorageUnavailableError) || cutOff.signal.aborted) throw error;
        await delay(TROUBLE_PAUSE_MS, undefined, { ref: false });
      }
    }
  }

  /** Until something may be due, or somebody may be sent to again. */
  function restMs(): number {
    const nowMs = performance.now();
    const paceMs = (lanes.nextWantedMs(nowMs) ?? Number.POSITIVE_INFINITY) - nowMs;
    return Math.max(1, Math.min(POLL_MS, paceMs));
  }

  async function run(): Promise<void> {
    while (!stopping) {
      try {
        await turn();
      } catch (error) {
        onTrouble(error);
        await bell.wait(TROUBLE_PAUSE_MS);
      }
      if (!signalled && !stopping && lanes.wanted(performance.now()).length === 0) await bell.wait(restMs());
    }
  }

  const unlisten = await environment.database.listen(DELIVERIES_CHANNEL, () => {
    signalled = true;
    bell.ring();
  });
  const running = run();

  return {
    async stop(limitMs) {
      stopping = true;
      bell.ring();
      await running;
      await unlisten();
      const cutting = setTimeout(() => cutOff.abort(), limitMs);
      // What is still being sent must not be sent by others meanwhile.
      const renewing = setInterval(() => void renew(performance.now()).catch(onTrouble), RENEW_MS);
      await Promise.allSettled(sending);
      clearInterval(renewing);
      clearTimeout(cutting);
      cutOff.abort();
      await giveBack(lanes.all(performance.now()));
    },
  };
}

/** Something to wait for that can be rung before anybody waits. */
function createBell() {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring(): void {
      rung = true;
      wake?.();
    },
    async wait(limitMs: number): Promise<void> {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, limitMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      rung = false;
      wake = undefined;
    },
  };
}
