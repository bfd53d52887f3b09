import type { Metric, MetricValueWithName, Registry } from 'prom-client';

export interface RequestMeasurement {
  method: string;
  route: string;
  version: string;
  status: number;
  durationSeconds: number;
}

type Labels = Pick<RequestMeasurement, 'method' | 'route' | 'version'>;

/** The requests with the same labels. */
interface Tally {
  readonly labels: Labels;
  readonly byStatus: Map<number, number>;
  /** By bucket, not cumulative; the last is for what is longer than all of them. */
  readonly byDuration: number[];
  seconds: number;
  requests: number;
}

/** Upper bounds, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Counts requests and their durations, and shows them to Prometheus when it asks. A counter and a histogram of the library
 * make a text of all labels for each request; here that is three look-ups in maps.
 */
export function tallyRequests(registry: Registry): (measurement: RequestMeasurement) => void {
  const byRoute = new Map<string, Map<string, Map<string, Tally>>>();
  const tallies: Tally[] = [];

  function tallyOf({ method, route, version }: RequestMeasurement): Tally {
    const byMethod = branch(byRoute, route, () => new Map<string, Map<string, Tally>>());
    const byVersion = branch(byMethod, method, () => new Map<string, Tally>());
    return branch(byVersion, version, () => {
      const tally: Tally = {
        labels: { method, route, version },
        byStatus: new Map(),
        byDuration: Array<number>(BUCKETS.length + 1).fill(0),
        seconds: 0,
        requests: 0,
      };
      tallies.push(tally);
      return tally;
    });
  }

  collect(registry, {
    name: 'dateline_http_requests_total',
    help: 'Requests answered.',
    type: 'counter',
    values: () => tallies.flatMap(countsOf),
  });
  collect(registry, {
    name: DURATIONS,
    help: 'Time from the request line to the end of the answer.',
    type: 'histogram',
    values: () => tallies.flatMap(durationsOf),
  });

  return (measurement) => {
    const { status, durationSeconds } = measurement;
    const tally = tallyOf(measurement);
    tally.requests += 1;
    tally.seconds += durationSeconds;
    tally.byStatus.set(status, (tally.byStatus.get(status) ?? 0) + 1);
    const bucket = bucketOf(durationSeconds);
    tally.byDuration[bucket] = (tally.byDuration[bucket] ?? 0) + 1;
  };
}

/** Counts requests to the versioned API in the same way. */
export function tallyUses(registry: Registry): (use: UseMeasurement) => void {
  const byVersion = new Map<string, Map<string, number>>();
  collect(registry, {
    name: 'dateline_api_requests_total',
    help: 'Requests to the versioned API, by version and by how it was chosen; refused versions are all "none".',
    type: 'counter',
    values: () => [...byVersion].flatMap(([version, byChoice]) => usesOf(version, byChoice)),
  });
  return ({ choice, version }) => {
    const byChoice = branch(byVersion, version, () => new Map<string, number>());
    byChoice.set(choice, (byChoice.get(choice) ?? 0) + 1);
  };
}

export interface UseMeasurement {
  choice: string;
  version: string;
}

function usesOf(version: string, byChoice: ReadonlyMap<string, number>): Value[] {
  return [...byChoice].map(([choice, value]) => ({ labels: { version, choice }, value }));
}

const DURATIONS = 'dateline_http_request_duration_seconds';

function bucketOf(seconds: number): number {
  const bucket = BUCKETS.findIndex((bound) => seconds <= bound);
  return bucket < 0 ? BUCKETS.length : bucket;
}

type Value = MetricValueWithName<string>;

function countsOf({ labels, byStatus }: Tally): Value[] {
  return [...byStatus].map(([status, value]) => ({ labels: { ...labels, status }, value }));
}

/** As Prometheus has it: each bucket with all that are shorter, then the sum and the count. */
function durationsOf({ labels, byDuration, seconds, requests }: Tally): Value[] {
  let shorter = 0;
  const buckets = byDuration.map((count, index): Value => {
    shorter += count;
    return {
      metricName: `${DURATIONS}_bucket`,
      labels: { le: BUCKETS[index] ?? '+Inf', ...labels },
      value: shorter,
    };
  });
  return [
    ...buckets,
    { metricName: `${DURATIONS}_sum`, labels, value: seconds },
    { metricName: `${DURATIONS}_count`, labels, value: requests },
  ];
}

interface Collected {
  name: string;
  help: string;
  type: 'counter' | 'histogram';
  values(): Value[];
}

function collect(registry: Registry, { values, ...facts }: Collected): void {
  const metric = {
    ...facts,
    get: async () => ({ ...facts, aggregator: 'sum', values: values() }),
    reset() {},
  };
  // The type allows the library's own classes only; the registry asks for no more than this.
  registry.registerMetric(metric as unknown as Metric);
}

function branch<Value>(parent: Map<string, Value>, key: string, create: () => Value): Value {
  const known = parent.get(key);
  if (known !== undefined) return known;
  const made = create();
  parent.set(key, made);
  return made;
}
