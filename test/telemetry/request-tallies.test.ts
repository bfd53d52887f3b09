import { Counter, Histogram, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { tallyRequests } from '../../src/telemetry/request-tallies.ts';

/** The same two metrics as the library itself keeps them. */
function libraryMetrics() {
  const registry = new Registry();
  const requests = new Counter({
    name: 'dateline_http_requests_total',
    help: 'Requests answered.',
    labelNames: ['method', 'route', 'version', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'dateline_http_request_duration_seconds',
    help: 'Time from the request line to the end of the answer.',
    labelNames: ['method', 'route', 'version'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return { registry, requests, durations };
}

describe('tallied requests', () => {
  it('are shown as the metrics library shows its own, in text and to other workers', async () => {
    const library = libraryMetrics();
    const registry = new Registry();
    for (const each of [registry, library.registry]) each.setDefaultLabels({ environment: 'sandbox' });
    const observe = tallyRequests(registry);
    for (const method of ['GET', 'POST'])
      for (const route of ['/v1/products/', '/versions'])
        for (const version of ['2026-10', '2027-01'])
          for (const [status, durationSeconds] of [
            [200, 0.0004],
            [200, 0.001],
            [404, 0.3],
            [499, 40],
          ] as const) {
            const labels = { method, route, version };
            observe({ ...labels, status, durationSeconds });
            library.requests.inc({ ...labels, status });
            library.durations.observe(labels, durationSeconds);
          }
    // The order of lines and labels says nothing.
    const sorted = (line: string) =>
      line.replace(/\{(.*)\}/, (_, labels: string) => `{${labels.split(',').sort().join(',')}}`);
    const linesOf = async (each: Registry) => (await each.metrics()).trim().split('\n').map(sorted).sort();
    expect(await linesOf(registry)).toEqual(await linesOf(library.registry));
    const seenByOthers = async (each: Registry) => {
      const metrics = await each.getMetricsAsJSON();
      return metrics.map(({ name, type, aggregator }) => ({ name, type, aggregator }));
    };
    expect(await seenByOthers(registry)).toEqual(await seenByOthers(library.registry));
  });
});
