import type { EndpointId, EventId } from '../types.ts';
import { createPace, type Pace } from './pace.ts';
import type { DueEvent, LeasedLane } from './store.ts';

export interface LaneLimits {
  /** Attempts at once, in all. */
  inFlightMax: number;
  /** So that one organization's slow receivers leave room for the others'. */
  inFlightPerOrganizationMax: number;
  inFlightPerEndpointMax: number;
  lanesMax: number;
  /** How long an endpoint is kept without work: the next event then needs no new lease. */
  idleMs: number;
}

export interface Wanted {
  endpointId: EndpointId;
  free: number;
}

interface Lane {
  endpointId: EndpointId;
  organizationId: string;
  inFlight: Set<EventId>;
  failing: boolean;
  /** Whether the database may have something due. */
  mayHaveMore: boolean;
  pausedUntilMs: number;
  idleSinceMs: number;
  pace: Pace;
}

/** The endpoints that this worker delivers to, and what is in flight for each of them. Times are of a clock that never jumps. */
export interface Lanes {
  add(leased: readonly LeasedLane[], nowMs: number): void;
  drop(ids: readonly EndpointId[]): void;
  ids(): EndpointId[];
  /** How many more could be taken. */
  room(): number;
  /** Something may be due anywhere: ask all of them again. */
  askAll(): void;
  /** Which endpoints to read events of now, and how many. */
  wanted(nowMs: number): Wanted[];
  /** When the first endpoint that only its pace holds back may go on; null if there is none. */
  nextWantedMs(nowMs: number): number | null;
  started(wanted: readonly Wanted[], picked: readonly DueEvent[], nowMs: number): void;
  finished(event: DueEvent, outcome: { failed: boolean }, nowMs: number): void;
  /** Pauses an endpoint because its receiver asked for it. */
  pause(id: EndpointId, untilMs: number): void;
  inFlight(): EventId[];
  /** Those without work, or with none that may be done now. */
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
  let total = 0;
  const perOrganization = new Map<string, number>();

  function count(organizationId: string, by: 1 | -1): void {
    total += by;
    perOrganization.set(organizationId, (perOrganization.get(organizationId) ?? 0) + by);
    if (perOrganization.get(organizationId) === 0) perOrganization.delete(organizationId);
  }

  /** What one endpoint could take, if it were alone. One that fails is tried with a single delivery at a time. */
  function freeOf(lane: Lane, nowMs: number): number {
    if (lane.pausedUntilMs > nowMs) return 0;
    const inFlightMax = lane.failing ? 1 : limits.inFlightPerEndpointMax;
    return Math.max(0, Math.min(inFlightMax - lane.inFlight.size, lane.pace.available(nowMs)));
  }

  /** Dealt out one by one, to those with the least in flight first, so that scarce capacity is shared. */
  function wanted(nowMs: number): Wanted[] {
    const asking = [...lanes.values()]
      .filter(({ mayHaveMore }) => mayHaveMore)
      .map((lane) => ({ lane, most: freeOf(lane, nowMs), free: 0 }))
      .filter(({ most }) => most > 0)
      .sort((one, other) => one.lane.inFlight.size - other.lane.inFlight.size);
    const dealt = new Map<string, number>();
    let left = limits.inFlightMax - total;
    const takeOne = (share: (typeof asking)[number]): boolean => {
      const { organizationId } = share.lane;
      const taken = (perOrganization.get(organizationId) ?? 0) + (dealt.get(organizationId) ?? 0);
      if (left <= 0 || share.free >= share.most || taken >= limits.inFlightPerOrganizationMax) return false;
      dealt.set(organizationId, (dealt.get(organizationId) ?? 0) + 1);
      share.free += 1;
      left -= 1;
      return true;
    };
    while (asking.filter(takeOne).length > 0);
    return asking
      .filter(({ free }) => free > 0)
      .map(({ lane, free }) => ({ endpointId: lane.endpointId, free }));
  }

  /** A paused endpoint is given back, however much waits for it: its slot is for others. */
  function isIdle({ inFlight, mayHaveMore, pausedUntilMs, idleSinceMs }: Lane, nowMs: number): boolean {
    if (inFlight.size > 0) return false;
    return pausedUntilMs > nowMs || (!mayHaveMore && nowMs - idleSinceMs >= limits.idleMs);
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
          idleSinceMs: nowMs,
          pace: createPace(maxPerSecond, nowMs),
        });
      }
    },
    drop(ids) {
      for (const id of ids) {
        const lane = lanes.get(id);
        if (!lane) continue;
        for (const _event of lane.inFlight) count(lane.organizationId, -1);
        lanes.delete(id);
      }
    },
    ids: () => [...lanes.keys()],
    room: () => limits.lanesMax - lanes.size,
    askAll() {
      for (const lane of lanes.values()) lane.mayHaveMore = true;
    },
    wanted,
    nextWantedMs(nowMs) {
      const waiting = [...lanes.values()].filter(({ mayHaveMore }) => mayHaveMore);
      const times = waiting.map((lane) => Math.max(lane.pausedUntilMs, lane.pace.nextMs(nowMs)));
      const later = times.filter((time) => time > nowMs);
      return later.length === 0 ? null : Math.min(...later);
    },
    started(asked, picked, nowMs) {
      const unused = new Map(asked.map(({ endpointId, free }) => [endpointId, free]));
      for (const { id, endpointId, maxPerSecond } of picked) {
        const lane = lanes.get(endpointId);
        if (!lane) continue;
        unused.set(endpointId, (unused.get(endpointId) ?? 0) - 1);
        lane.inFlight.add(id);
        lane.pace.set(maxPerSecond, nowMs);
        lane.pace.take(nowMs);
        count(lane.organizationId, 1);
      }
      for (const [endpointId, left] of unused) {
        const lane = lanes.get(endpointId);
        if (lane) lane.mayHaveMore = left === 0;
      }
    },
    finished({ id, endpointId }, { failed }, nowMs) {
      const lane = lanes.get(endpointId);
      if (!lane?.inFlight.delete(id)) return;
      count(lane.organizationId, -1);
      lane.failing = failed;
      lane.idleSinceMs = nowMs;
    },
    pause(id, untilMs) {
      const lane = lanes.get(id);
      if (lane) lane.pausedUntilMs = Math.max(lane.pausedUntilMs, untilMs);
    },
    inFlight: () => [...lanes.values()].flatMap(({ inFlight }) => [...inFlight]),
    idle: (nowMs) =>
      [...lanes.values()].filter((lane) => isIdle(lane, nowMs)).map((lane) => given(lane, nowMs)),
    all: (nowMs) => [...lanes.values()].map((lane) => given(lane, nowMs)),
  };
}
