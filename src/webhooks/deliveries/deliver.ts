import { repeat } from '../../kernel/repeat.ts';
import { createBell } from '../../kernel/wait.ts';
import { DELIVERIES_CHANNEL } from '../types.ts';
import { createFirstAttempts } from './first-attempts.ts';
import { followClock } from './follow-clock.ts';
import { createLanes, type LaneLimits } from './lanes.ts';
import { createLeases } from './leases.ts';
import { createSendings, type SendingOptions } from './sendings.ts';
import { type DueEvent, pickDue } from './store.ts';

export interface DeliveryOptions extends SendingOptions {
  /** This worker's id, unique among those on the same database. */
  worker: string;
  limits?: Partial<LaneLimits>;
}

export interface Deliveries {
  /** Takes no more events, lets those in flight end within the limit, and gives the endpoints back. */
  stop(limitMs: number): Promise<void>;
}

const LIMITS: LaneLimits = {
  inFlightMax: 1_024,
  inFlightPerOrganizationMax: 512,
  inFlightPerEndpointMax: 8,
  lanesMax: 4_000,
  // More lanes than attempts at once would only wait.
  lanesPerOrganizationMax: 512,
  idleMs: 5_000,
  sliceMs: 1_000,
};
const POLL_MS = 250;
const ERROR_PAUSE_MS = 1_000;
/** What was picked is sent within this time, or else picked again. */
const PICKED_MS_MAX = 100;

/**
 * Delivers what is due. A worker leases endpoints, not events: so each endpoint has one sender at a time, and its order,
 * its pace and its share are that sender's to keep. Signals wake it early; it relies only on polling, four times a second.
 */
export async function startDeliveries(options: DeliveryOptions): Promise<Deliveries> {
  const { environment, worker, onError } = options;
  const { session, clock } = environment;
  const bell = createBell();
  const limits = { ...LIMITS, ...options.limits };
  const lanes = createLanes(limits);
  const leases = createLeases({ context: environment, worker, lanes, ...limits });
  const sendings = createSendings(options, { lanes, onEnd: bell.ring });
  const firstAttempts = createFirstAttempts(environment);
  const putRightAfterSetBack = followClock(environment);
  let stopping = false;
  /** Something new may be due. */
  let signalled = true;
  let lookedAtMs = Number.NEGATIVE_INFINITY;

  async function run(): Promise<void> {
    while (!stopping) {
      try {
        await turn();
      } catch (error) {
        onError(error);
        await bell.wait(ERROR_PAUSE_MS);
      }
      if (!stopping && !signalled && !lanes.wantsAny(performance.now())) await bell.wait(restMs());
    }
  }

  /** One round: take endpoints, take events and start to send them, give back endpoints that have nothing. */
  async function turn(): Promise<void> {
    await putRightAfterSetBack();
    if (signalled || performance.now() - lookedAtMs >= POLL_MS) await look();
    await leases.renewInTime();
    await sendDue();
    if (await leases.giveBackIdle()) signalled = true;
  }

  /** Anything may be due anywhere: in endpoints that this worker has, and in others that it could take. */
  async function look(): Promise<void> {
    signalled = false;
    lookedAtMs = performance.now();
    lanes.askAll();
    await leases.take();
  }

  async function sendDue(): Promise<void> {
    const wanted = lanes.wanted(performance.now());
    if (wanted.length === 0) return;
    const due = await pickDue(session, { worker, now: clock.now() }, wanted);
    const pickedAtMs = performance.now();
    lanes.picked(wanted, due);
    const unsure = due.filter((event) => !firstAttempts.mayBegin(event));
    // What was asked about before goes first: it is older than what came while it was asked about.
    begin(due);
    if (unsure.length === 0) return;
    await firstAttempts.ask(unsure);
    // Meanwhile an endpoint may have been changed or deleted, or have become another worker's.
    const nowMs = performance.now();
    if (nowMs - pickedAtMs <= PICKED_MS_MAX) return begin(unsure);
    lanes.askAll();
    lanes.putOff(unsure, nowMs);
  }

  /** Starts to send those that may be sent, in their order. */
  function begin(events: readonly DueEvent[]): void {
    // Whoever stops it waits for what is in flight: nothing is added to that.
    const sent = stopping ? [] : events.filter(firstAttempts.mayBegin);
    lanes.started(sent, performance.now());
    sendings.begin(sent);
  }

  /** Until something may be due, or an endpoint's pace allows the next delivery. */
  function restMs(): number {
    const nowMs = performance.now();
    const paceMs = (lanes.nextWantedMs(nowMs) ?? Number.POSITIVE_INFINITY) - nowMs;
    return Math.max(1, Math.min(POLL_MS, paceMs));
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
      // What is still being sent must not be sent by others meanwhile.
      const stopRenewing = repeat(leases.renewInTime, { everyMs: POLL_MS, onError });
      await sendings.end(limitMs);
      await stopRenewing();
      await leases.giveBackAll();
    },
  };
}
