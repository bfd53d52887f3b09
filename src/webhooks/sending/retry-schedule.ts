const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The delay of the next attempt after each one: after the first, after the second and so on. */
const DELAYS_MS = [
  5 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  24 * HOUR_MS,
];
const JITTER = 0.2;
const RETRY_AFTER_MS_MAX = 24 * HOUR_MS;

export interface AttemptsSoFar {
  /** Attempts that were made, the one that has just failed included. */
  attemptCount: number;
  now: Date;
  /** The header `Retry-After` of the last answer, as it came. */
  retryAfter: string | null;
  /** A number from 0 to 1. */
  random: () => number;
}

/**
 * When to try again; null if it was the last time. Retries of many events that failed together are spread: each comes up
 * to a fifth later than the schedule says, never earlier.
 */
export function nextAttemptAt({ attemptCount, now, retryAfter, random }: AttemptsSoFar): Date | null {
  if (attemptCount < 1) return now;
  const delayMs = DELAYS_MS[attemptCount - 1];
  if (delayMs === undefined) return null;
  const scheduledMs = Math.round(delayMs * (1 + JITTER * random()));
  return new Date(now.getTime() + Math.max(scheduledMs, waitAskedMs(retryAfter, now)));
}

/** The time for which the receiver wants to be left alone. What cannot be read does not count (RFC 9110 §10.2.3). */
export function waitAskedMs(retryAfter: string | null, now: Date): number {
  const text = retryAfter?.trim() ?? '';
  const wantedMs = /^\d+$/.test(text) ? Number(text) * SECOND_MS : httpDateMs(text) - now.getTime();
  return Math.min(Number.isNaN(wantedMs) ? 0 : wantedMs, RETRY_AFTER_MS_MAX);
}

const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{5,8}, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
];
const ASCTIME_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/** RFC 9110 §5.6.7: one form that is written today and two that must still be read; NaN for all else. */
function httpDateMs(text: string): number {
  if (HTTP_DATES.some((form) => form.test(text))) return Date.parse(text);
  return ASCTIME_DATE.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}
