import type { Registry } from 'prom-client';
import { collect, type Value } from './prom-client-adapter.ts';
import { branch, createDurations, type Durations } from './tallies.ts';

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
  readonly durations: Durations;
}

/** Upper bounds, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const DURATIONS = 'dateline_http_request_duration_seconds';

/** Counts requests and their durations: one search by labels for both. */
export function tallyRequests(registry: Registry): (measurement: RequestMeasurement) => void {
  const byRoute = new Map<string, Map<string, Map<string, Tally>>>();
  const tallies: Tally[] = [];

  function tallyOf({ method, route, version }: RequestMeasurement): Tally {
    const byMethod = branch(byRoute, route, () => new Map<string, Map<string, Tally>>());
    const byVersion = branch(byMethod, method, () => new Map<string, Tally>());
    return branch(byVersion, version, () => {
      const labels = { method, route, version };
      const tally: Tally = { labels, byStatus: new Map(), durations: createDurations(BUCKETS) };
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
    values: () => tallies.flatMap(({ labels, durations }) => durations.values(DURATIONS, { ...labels })),
  });

  return (measurement) => {
    const { status, durationSeconds } = measurement;
    const { byStatus, durations } = tallyOf(measurement);
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    durations.add(durationSeconds);
  };
}

function countsOf({ labels, byStatus }: Tally): Value[] {
  return [...byStatus].map(([status, value]) => ({ labels: { ...labels, status }, value }));
}
