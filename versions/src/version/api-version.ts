/** A dated version, `YYYY-MM`. The text has been checked; the month need not be one of ours. */
export type ApiVersion = string & { readonly __kind: 'api-version' };

const SHAPE = /^\d{4}-(?:0[1-9]|1[0-2])$/;
const QUARTER_MONTHS = [1, 4, 7, 10];
const RELEASE_HOUR_UTC = 17;
const TUESDAY = 2;

/** Reads exactly `YYYY-MM`; anything else, however close, is null. */
export function parseApiVersion(text: string): ApiVersion | null {
  return isApiVersion(text) ? text : null;
}

function isApiVersion(text: string): text is ApiVersion {
  return SHAPE.test(text);
}

/** For identifiers written in the code. */
export function apiVersion(text: string): ApiVersion {
  const version = parseApiVersion(text);
  if (version === null || !isQuarterly(version)) throw new Error(`${text} is not a quarterly version`);
  return version;
}

export function isQuarterly(version: ApiVersion): boolean {
  return QUARTER_MONTHS.includes(monthOf(version));
}

export function nextVersion(version: ApiVersion): ApiVersion {
  return shift(version, 3);
}

export function previousVersion(version: ApiVersion): ApiVersion {
  return shift(version, -3);
}

/** When a version becomes Current: the first Tuesday of its month, 17:00 UTC. */
export function releaseInstant(version: ApiVersion): Date {
  const first = new Date(Date.UTC(yearOf(version), monthOf(version) - 1, 1, RELEASE_HOUR_UTC));
  first.setUTCDate(1 + ((TUESDAY - first.getUTCDay() + 7) % 7));
  return first;
}

function shift(version: ApiVersion, months: number): ApiVersion {
  const date = new Date(Date.UTC(yearOf(version), monthOf(version) - 1 + months, 1));
  return date.toISOString().slice(0, 7) as ApiVersion;
}

function yearOf(version: ApiVersion): number {
  return Number(version.slice(0, 4));
}

function monthOf(version: ApiVersion): number {
  return Number(version.slice(5));
}
