/** Limits the rate of deliveries to one endpoint. */
export interface Pace {
  set(perSecond: number | null, nowMs: number): void;
  /** The number that may be sent at once. */
  available(nowMs: number): number;
  take(nowMs: number): void;
  /** When the next one may be sent. */
  nextMs(nowMs: number): number;
}

/** The burst after a pause: a tenth of a second's worth, and always one. */
const BURST_SHARE = 0.1;

export function createPace(perSecond: number | null, nowMs: number): Pace {
  let rate = perSecond;
  let saved = burstOf(perSecond);
  let savedAtMs = nowMs;

  function burstOf(limit: number | null): number {
    return limit === null ? Number.POSITIVE_INFINITY : Math.max(1, limit * BURST_SHARE);
  }

  function refill(atMs: number): void {
    if (rate === null) return;
    saved = Math.min(burstOf(rate), saved + ((atMs - savedAtMs) * rate) / 1000);
    savedAtMs = atMs;
  }

  return {
    set(limit, atMs) {
      if (limit === rate) return;
      rate = limit;
      saved = Math.min(saved, burstOf(limit));
      savedAtMs = atMs;
    },
    available(atMs) {
      refill(atMs);
      return Math.floor(saved);
    },
    take(atMs) {
      refill(atMs);
      if (rate !== null) saved -= 1;
    },
    nextMs(atMs) {
      refill(atMs);
      return rate === null || saved >= 1 ? atMs : atMs + ((1 - saved) / rate) * 1000;
    },
  };
}
