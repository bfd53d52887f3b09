import type { Registry } from 'prom-client';
import { collect, type MetricDescription, type Value } from './prom-client-adapter.ts';

// Counts and durations that are kept here and shown to Prometheus when it asks. A counter and a histogram of the library make a
// text of all labels each time that they count; here that is a look-up in a map for each label.

type Labels = Readonly<Record<string, string>>;

/** Counts by one label, or by two. */
export function tallyCounts(
  registry: Registry,
  { labels: [outer, inner], ...facts }: MetricDescription & { labels: readonly [string, string?] },
): (outerValue: string, innerValue?: string) => void {
  const counts = new Map<string, Map<string, number>>();
  collect(registry, {
    ...facts,
    type: 'counter',
    values: () =>
      [...counts].flatMap(([outerValue, byInner]) =>
        [...byInner].map(([innerValue, value]) => ({
          labels: { [outer]: outerValue, ...(inner === undefined ? {} : { [inner]: innerValue }) },
          value,
        })),
      ),
  });
  return (outerValue, innerValue = '') => {
    const byInner = branch(counts, outerValue, () => new Map<string, number>());
    byInner.set(innerValue, (byInner.get(innerValue) ?? 0) + 1);
  };
}

/** Durations by one label, or by none. */
export function tallyDurations(
  registry: Registry,
  { label, buckets, ...facts }: MetricDescription & { label?: string; buckets: readonly number[] },
): (seconds: number, value?: string) => void {
  // Without a label there is one of them, which is shown from the start.
  const byValue = new Map<string, Durations>(label === undefined ? [['', createDurations(buckets)]] : []);
  collect(registry, {
    ...facts,
    type: 'histogram',
    values: () =>
      [...byValue].flatMap(([value, durations]) =>
        durations.values(facts.name, label === undefined ? {} : { [label]: value }),
      ),
  });
  return (seconds, value = '') => branch(byValue, value, () => createDurations(buckets)).add(seconds);
}

/** The durations of what has the same labels. */
export interface Durations {
  add(seconds: number): void;
  /** As Prometheus has it: each bucket with all that are shorter, then the sum and the count. */
  values(name: string, labels: Labels): Value[];
}

/** With the upper bounds of the buckets, in seconds. */
export function createDurations(bounds: readonly number[]): Durations {
  // Not cumulative; the last is for what is longer than all of them.
  const counts = Array<number>(bounds.length + 1).fill(0);
  let sum = 0;
  let count = 0;
  return {
    add(seconds) {
      const found = bounds.findIndex((bound) => seconds <= bound);
      const bucket = found < 0 ? bounds.length : found;
      counts[bucket] = (counts[bucket] ?? 0) + 1;
      sum += seconds;
      count += 1;
    },
    values(name, labels) {
      let shorter = 0;
      const buckets = counts.map((inBucket, index): Value => {
        shorter += inBucket;
        return {
          metricName: `${name}_bucket`,
          labels: { le: bounds[index] ?? '+Inf', ...labels },
          value: shorter,
        };
      });
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ];
    },
  };
}

export function branch<Kept>(parent: Map<string, Kept>, key: string, create: () => Kept): Kept {
  const known = parent.get(key);
  if (known !== undefined) return known;
  const made = create();
  parent.set(key, made);
  return made;
}
