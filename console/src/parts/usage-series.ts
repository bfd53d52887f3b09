import type { BodyOf } from '../api.ts';
import type { VersionStates } from '../version-states.ts';

/** Requests by version and day, as a plot draws them. */
export interface UsageSeries {
  /** All that were asked for, also those without a request. */
  days: readonly string[];
  versions: readonly string[];
  /** By version, a count for each day. */
  counts: readonly (readonly number[])[];
  /** By version, the name of the colour that it has on all pages. */
  colours: readonly string[];
}

/** Of usage that is grouped by day and version. */
export function seriesOf({ from, to, items }: BodyOf<'/operator/usage'>, states: VersionStates): UsageSeries {
  const days = daysFrom(from, to);
  const versions = [...new Set(items.map(({ version }) => version ?? 'none'))].sort();
  const counts = versions.map((version) =>
    days.map((day) =>
      items
        .filter((item) => item.day === day && (item.version ?? 'none') === version)
        .reduce((sum, { requests }) => sum + requests, 0),
    ),
  );
  const colours = versions.map((version) => `--${states.get(version) ?? 'soft-ink'}`);
  return { days, versions, counts, colours };
}

export const DAY_MS = 24 * 60 * 60 * 1000;

/** Every day from one to another. */
function daysFrom(first: string, last: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_MS)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}
