import type { EndpointId, EventId } from '../types.ts';
import { createPace, type Pace } from './pace.ts';
import type { DueEvent, LeasedLane, WantedEvents } from './store.ts';

export interface LaneLimits {
  /** Attempts at once, in all. */
  inFlightMax: number;
  /** So that one organization's slow receivers leave room for the others'. */
  inFlightPerOrganizationMax: number;
  inFlightPerEndpointMax: number;
  lanesMax: number;
  /** So that one organization's many endpoints leave lanes for the others'. */
  lanesPerOrganizationMax: number;
  /** The time for which an endpoint is kept without work: the next event then needs no new lease. */
  idleMs: number;
  /** The time for which an endpoint is kept, with work or without, while others may be waiting for its place. */
  sliceMs: number;
}

interface Lane {
  endpointId: EndpointId;
  organizationId: string;
  inFlight: Set<EventId>;
  failing: boolean;
  /** False while the database has nothing due. */
  mayHaveMore: boolean;
  pausedUntilMs: number;
  heldSinceMs: number;
  /** Since it was taken. */
  hasBegun: boolean;
  idleSinceMs: number;
  pace: Pace;
}

/** The endpoints that this worker delivers to, and what is in flight for each of them. Times are of a clock that never jumps. */
export interface Lanes {
  add(leased: readonly LeasedLane[], nowMs: number): void;
  drop(ids: readonly EndpointId[]): void;
  ids(): EndpointId[];
  isEmpty(): boolean;
  /** The number that could still be taken in all. */
  room(): number;
  /** The number that each organization has. */
  perOrganization(): ReadonlyMap<string, number>;
  /** Returns true if endpoints may be waiting for a place. */
  isCrowded(): boolean;
  /** Something may be due anywhere: ask all of them again. */
  askAll(): void;
  /** Which endpoints to read events of now, and how many. */
  wanted(nowMs: number): WantedEvents[];
  /** Returns true if `wanted` is not empty. */
  wantsAny(nowMs: number): boolean;
  /** When the first endpoint that only its pace holds back may go on; null if there is none. */
  nextWantedMs(nowMs: number): number | null;
  /** What the database had of what was wanted. */
  picked(wanted: readonly WantedEvents[], picked: readonly DueEvent[]): void;
  /** What was picked has to be picked again: an endpoint that could begin nothing meanwhile gets its slice of time only now. */
  putOff(events: readonly DueEvent[], nowMs: number): void;
  started(events: readonly DueEvent[], nowMs: number): void;
  finished(event: DueEvent, outcome: { failed: boolean }, nowMs: number): void;
  /** Pauses an endpoint because its receiver asked for it. */
  pause(id: EndpointId, untilMs: number): void;
  /** Lanes without work, or with none that may be done now. */
  idle(nowMs: number): Given[];
  all(nowMs: number): Given[];
}

/** An endpoint to be given back, and the time from which it may be delivered to. */
export interface Given {
  endpointId: EndpointId;
  freeAtMs: number;
}

export function createLanes(limits: LaneLimits): Lanes {
  const lanes = new Map<EndpointId, Lane>();
  const lanesOf = createTally();
  const inFlightOf = createTally();
  const inFlightIn = ({ organizationId }: Lane): number => inFlightOf.get(organizationId);

  /** Returns true if other endpoints of the organization, or of any, may be waiting for a place. */
  function isCrowded(organizationId: string): boolean {
    return lanes.size >= limits.lanesMax || lanesOf.get(organizationId) >= limits.lanesPerOrganizationMax;
  }

  /** Nothing more is begun then, so that its place becomes free. */
  function isSliceOver({ organizationId, heldSinceMs }: Lane, nowMs: number): boolean {
    return nowMs - heldSinceMs >= limits.sliceMs && isCrowded(organizationId);
  }

  /** The deliveries that one endpoint could take, if it were alone. One that fails is tried with a single delivery at a time. */
  function freeOf(lane: Lane, nowMs: number): number {
    if (lane.pausedUntilMs > nowMs || isSliceOver(lane, nowMs)) return 0;
    const inFlightMax = lane.failing ? 1 : limits.inFlightPerEndpointMax;
    return Math.max(0, Math.min(inFlightMax - lane.inFlight.size, lane.pace.available(nowMs)));
  }

  const attemptsLeft = (): number => limits.inFlightMax - inFlightOf.total();

  function wantsAny(nowMs: number): boolean {
    if (attemptsLeft() <= 0) return false;
    for (const lane of lanes.values()) {
      const hasShare = lane.mayHaveMore && inFlightIn(lane) < limits.inFlightPerOrganizationMax;
      if (hasShare && freeOf(lane, nowMs) > 0) return true;
    }
    return false;
  }

  /**
   * Dealt out one by one, first to organizations and then to endpoints with the least in flight, so that scarce capacity is
   * shared.
   */
  function wanted(nowMs: number): WantedEvents[] {
    const asking = [...lanes.values()]
      .filter(({ mayHaveMore }) => mayHaveMore)
      .map((lane) => ({ lane, most: freeOf(lane, nowMs), free: 0 }))
      .filter(({ most }) => most > 0)
      .sort(
        (one, other) =>
          inFlightIn(one.lane) - inFlightIn(other.lane) || one.lane.inFlight.size - other.lane.inFlight.size,
      );
    const dealt = createTally();
    let left = attemptsLeft();
    const takeOne = (share: (typeof asking)[number]): boolean => {
      const { organizationId } = share.lane;
      const taken = inFlightIn(share.lane) + dealt.get(organizationId);
      if (left <= 0 || share.free >= share.most || taken >= limits.inFlightPerOrganizationMax) return false;
      dealt.add(organizationId, 1);
      share.free += 1;
      left -= 1;
      return true;
    };
    while (asking.filter(takeOne).length > 0);
    return asking
      .filter(({ free }) => free > 0)
      .map(({ lane: { endpointId, inFlight }, free }) => ({ endpointId, free, inFlight }));
  }

  /** A paused endpoint is given back, however much waits for it: its place is for others. */
  function isIdle(lane: Lane, nowMs: number): boolean {
    const { inFlight, mayHaveMore, pausedUntilMs, idleSinceMs, organizationId } = lane;
    if (inFlight.size > 0) return false;
    if (pausedUntilMs > nowMs || isSliceOver(lane, nowMs)) return true;
    return !mayHaveMore && (isCrowded(organizationId) || nowMs - idleSinceMs >= limits.idleMs);
  }

  function given({ endpointId, pausedUntilMs, pace }: Lane, nowMs: number): Given {
    return { endpointId, freeAtMs: Math.max(pausedUntilMs, pace.nextMs(nowMs)) };
  }

  return {
    add(leased, nowMs) {
      for (const { endpointId, organizationId, failing, maxPerSecond } of leased) {
        if (lanes.has(endpointId)) continue;
        lanes.set(endpointId, {
          endpointId,
          organizationId,
          inFlight: new Set(),
          failing,
          mayHaveMore: true,
          pausedUntilMs: 0,
          heldSinceMs: nowMs,
          hasBegun: false,
          idleSinceMs: nowMs,
          pace: createPace(maxPerSecond, nowMs),
        });
        lanesOf.add(organizationId, 1);
      }
    },
    drop(ids) {
      for (const id of ids) {
        const lane = lanes.get(id);
        if (!lane) continue;
        inFlightOf.add(lane.organizationId, -lane.inFlight.size);
        lanesOf.add(lane.organizationId, -1);
        lanes.delete(id);
      }
    },
    ids: () => [...lanes.keys()],
    room: () => limits.lanesMax - lanes.size,
    perOrganization: lanesOf.all,
    isEmpty: () => lanes.size === 0,
    isCrowded: () => [...lanesOf.all().keys()].some(isCrowded),
    askAll() {
      for (const lane of lanes.values()) lane.mayHaveMore = true;
    },
    wanted,
    wantsAny,
    nextWantedMs(nowMs) {
      const waiting = [...lanes.values()].filter(({ mayHaveMore }) => mayHaveMore);
      const times = waiting.map((lane) => Math.max(lane.pausedUntilMs, lane.pace.nextMs(nowMs)));
      const later = times.filter((time) => time > nowMs);
      return later.length === 0 ? null : Math.min(...later);
    },
    picked(asked, due) {
      const found = createTally();
      for (const { endpointId } of due) found.add(endpointId, 1);
      for (const { endpointId, free } of asked) {
        const lane = lanes.get(endpointId);
        if (lane) lane.mayHaveMore = found.get(endpointId) === free;
      }
    },
    putOff(events, nowMs) {
      for (const { endpointId } of events) {
        const lane = lanes.get(endpointId);
        if (lane && !lane.hasBegun) lane.heldSinceMs = nowMs;
      }
    },
    started(events, nowMs) {
      for (const { id, endpointId, maxPerSecond } of events) {
        const lane = lanes.get(endpointId);
        if (!lane) continue;
        lane.hasBegun = true;
        lane.inFlight.add(id);
        lane.pace.set(maxPerSecond, nowMs);
        lane.pace.take(nowMs);
        inFlightOf.add(lane.organizationId, 1);
      }
    },
    finished({ id, endpointId }, { failed }, nowMs) {
      const lane = lanes.get(endpointId);
      if (!lane?.inFlight.delete(id)) return;
      inFlightOf.add(lane.organizationId, -1);
      lane.failing = failed;
      lane.idleSinceMs = nowMs;
    },
    pause(id, untilMs) {
      const lane = lanes.get(id);
      if (lane) lane.pausedUntilMs = Math.max(lane.pausedUntilMs, untilMs);
    },
    idle: (nowMs) =>
      [...lanes.values()].filter((lane) => isIdle(lane, nowMs)).map((lane) => given(lane, nowMs)),
    all: (nowMs) => [...lanes.values()].map((lane) => given(lane, nowMs)),
  };
}

/** Counts by name; what is zero is forgotten. */
interface Tally {
  add(name: string, by: number): void;
  get(name: string): number;
  total(): number;
  all(): ReadonlyMap<string, number>;
}

function createTally(): Tally {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    add(name, by) {
      const count = (counts.get(name) ?? 0) + by;
      total += by;
      if (count === 0) counts.delete(name);
      else counts.set(name, count);
    },
    get: (name) => counts.get(name) ?? 0,
    total: () => total,
    all: () => counts,
  };
}
