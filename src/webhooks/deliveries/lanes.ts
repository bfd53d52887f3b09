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
  /** Whom to ask for how much now. */
  wanted(nowMs: number): Wanted[];
  /** When somebody can be asked who cannot be now, only because of its pace; null if nobody is. */
  nextWantedMs(nowMs: number): number | null;
  started(wanted: readonly Wanted[], picked: readonly DueEvent[], nowMs: number): void;
  finished(event: DueEvent, outcome: { failed: boolean }, nowMs: number): void;
  /** Nothing is sent there for a while: the receiver has asked for it. */
  pause(id: EndpointId, untilMs: number): void;
  inFlight(): EventId[];
  /** Those without work, with the time from which they may be delivered to. */
  idle(nowMs: number): { endpointId: EndpointId; freeAtMs: number }[];
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

  function wanted(nowMs: number): Wanted[] {
    const left = new Map<string, number>();
    let leftInAll = limits.inFlightMax - total;
    const asking = [...lanes.values()].filter(({ mayHaveMore }) => mayHaveMore);
    // Whoever has the least in flight comes first, so that nobody waits for those who have much.
    asking.sort((one, other) => one.inFlight.size - other.inFlight.size);
    return asking.flatMap((lane) => {
      const { endpointId, organizationId } = lane;
      const leftHere =
        left.get(organizationId) ??
        limits.inFlightPerOrganizationMax - (perOrganization.get(organizationId) ?? 0);
      const free = Math.min(freeOf(lane, nowMs), leftHere, leftInAll);
      if (free <= 0) return [];
      left.set(organizationId, leftHere - free);
      leftInAll -= free;
      return [{ endpointId, free }];
    });
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
      for (const { endpointId, free } of asked) {
        const lane = lanes.get(endpointId);
        const events = picked.filter((event) => event.endpointId === endpointId);
        if (!lane) continue;
        lane.mayHaveMore = events.length === free;
        for (const { id, maxPerSecond } of events) {
          lane.inFlight.add(id);
          lane.pace.set(maxPerSecond, nowMs);
          lane.pace.take(nowMs);
          count(lane.organizationId, 1);
        }
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
      if (lane) lane.pausedUntilMs = untilMs;
    },
    inFlight: () => [...lanes.values()].flatMap(({ inFlight }) => [...inFlight]),
    idle(nowMs) {
      return [...lanes.values()]
        .filter(
          ({ inFlight, mayHaveMore, idleSinceMs }) =>
            inFlight.size === 0 && !mayHaveMore && nowMs - idleSinceMs >= limits.idleMs,
        )
        .map(({ endpointId, pausedUntilMs, pace }) => ({
          endpointId,
          freeAtMs: Math.max(pausedUntilMs, pace.nextMs(nowMs)),
        }));
    },
  };
}
