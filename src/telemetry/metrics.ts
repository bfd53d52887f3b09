import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { DeliveryFigures } from '../doctor/delivery-condition.ts';
import type { Lifecycle } from '../releases/release-ledger.ts';
import type { WaitCounts } from '../standbys/readers-wait.ts';
import type { PoolUse } from '../storage/database.ts';
import type { UpstreamCondition, UpstreamEvent } from '../upstream/upstream.ts';
import type { Use } from '../usage/types.ts';
import type { Result } from '../webhooks/deliveries/store.ts';
import { type RequestMeasurement, tallyRequests } from './request-tallies.ts';
import { showDeliveries } from './show-deliveries.ts';
import { type ShownStandbys, showStandbys, showWaits } from './show-standbys.ts';
import { tallyCounts, tallyDurations } from './tallies.ts';

export interface Metrics {
  readonly registry: Registry;
  observeRequest(measurement: RequestMeasurement): void;
  observeUse(use: Pick<Use, 'choice' | 'version'>): void;
  /** A function that notes the sizes of one kind of batch. */
  batchObserver(batch: string): (size: number) => void;
  watchPool(read: () => PoolUse): void;
  watchDatabase(isAnswering: () => boolean): void;
  watchRelease(read: () => Pick<Lifecycle, 'overdue' | 'nextReleaseAt'>): void;
  /** Shows what is due and who delivers. While that cannot be read, the gauges are absent. */
  watchDeliveries(read: () => Promise<DeliveryFigures>): void;
  /** Counts an attempt to deliver a webhook, and what became of its event. */
  observeAttempt(result: Result): void;
  /** Counts an event that was published from outside. */
  countPublished(type: string): void;
  /** Counts what an upstream answers, and what it does not. */
  observeUpstream(event: UpstreamEvent): void;
  watchUpstream(read: () => UpstreamCondition): void;
  /** Counts an answer of the upstream that is not what the contract says. */
  countUpstreamViolation(operation: string): void;
  /** Counts parts of requests that the contract does not have, and that were not forwarded. */
  countUnknownParts(operation: string, counts: Readonly<Record<'query' | 'header', number>>): void;
  watchStandbys(standbys: ShownStandbys): void;
  watchWaits(counts: Readonly<WaitCounts>): void;
  /** Counts rows that housekeeping has removed. */
  countRemoved(table: string, rows: number): void;
  /** Counts an error that nothing has caught; the process ends over it. */
  countUncaught(): void;
  /** The API folder could not write an error. */
  countErrorFailure(): void;
}

/** One environment's numbers, for Prometheus. Labels hold only names from our own code, so they stay few. */
export function createMetrics(environment: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ environment });
  collectDefaultMetrics({ register: registry });
  const countUse = tallyCounts(registry, {
    name: 'dateline_api_requests_total',
    help: 'Requests to the versioned API, by version and by how it was chosen; "none" for refused versions.',
    labels: ['choice', 'version'],
  });
  const batchSizes = new Histogram({
    name: 'dateline_batch_size',
    help: 'Look-ups per statement.',
    labelNames: ['batch'],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128],
    registers: [registry],
  });
  const removedRows = new Counter({
    name: 'dateline_removed_rows_total',
    help: 'Rows deleted by housekeeping.',
    labelNames: ['table'],
    registers: [registry],
  });

  const uncaught = new Counter({
    name: 'dateline_uncaught_errors_total',
    help: 'Uncaught errors: each makes its process drain and end.',
    registers: [registry],
  });
  const published = new Counter({
    name: 'dateline_events_published_total',
    help: 'Events published through the operator API, by kind; repeated ones are not counted.',
    labelNames: ['type'],
    registers: [registry],
  });
  const countAttempt = tallyCounts(registry, {
    name: 'dateline_webhook_attempts_total',
    help: 'Webhook delivery attempts, by error; "none" for a success.',
    labels: ['error', 'state'],
  });
  const addAttempt = tallyDurations(registry, {
    name: 'dateline_webhook_attempt_duration_seconds',
    help: 'Time from the start of an attempt to the end of the answer.',
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
  });

  const countUpstreamCall = tallyCounts(registry, {
    name: 'dateline_upstream_requests_total',
    help: 'Requests to the upstream, by outcome; "answered" is any answer, also one of status 500.',
    labels: ['outcome'],
  });
  const violations = new Counter({
    name: 'dateline_upstream_contract_violations_total',
    help: 'Answers of the upstream that do not match the contract of Next, by operation.',
    labelNames: ['operation'],
    registers: [registry],
  });
  const errorFailures = new Counter({
    name: 'dateline_folder_error_failures_total',
    help: 'Errors that errors.mjs of the API folder failed to write; they were answered in the form of Dateline.',
    registers: [registry],
  });
  const unknownParts = new Counter({
    name: 'dateline_unknown_request_parts_total',
    help: 'Query parameters and headers that the contract does not have; they are not forwarded.',
    labelNames: ['operation', 'part'],
    registers: [registry],
  });
  const addUpstreamCall = tallyDurations(registry, {
    name: 'dateline_upstream_request_duration_seconds',
    help: 'Time from sending a request to the last byte of the answer, or to the headers of one that is streamed.',
    label: 'outcome',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });

  return {
    registry,
    observeAttempt({ attempt: { error, durationMs }, state }) {
      countAttempt(error ?? 'none', state);
      addAttempt(durationMs / 1000);
    },
    observeUpstream(event) {
      if (event.type !== 'call_ended') return;
      const { outcome, durationMs } = event;
      countUpstreamCall(outcome);
      if (durationMs !== null) addUpstreamCall(durationMs / 1000, outcome);
    },
    countUpstreamViolation: (operation) => violations.inc({ operation }),
    countUnknownParts(operation, counts) {
      for (const part of ['query', 'header'] as const)
        if (counts[part] > 0) unknownParts.inc({ operation, part }, counts[part]);
    },
    countRemoved: (table, rows) => removedRows.inc({ table }, rows),
    countErrorFailure: () => errorFailures.inc(),
    countUncaught: () => uncaught.inc(),
    countPublished: (type) => published.inc({ type }),
    observeRequest: tallyRequests(registry),
    observeUse({ choice, version }) {
      // The version that a refused request named is untrusted text, and must not become a label.
      countUse(choice, choice.startsWith('rejected_') ? 'none' : (version ?? 'none'));
    },
    batchObserver: (batch) => (size) => batchSizes.observe({ batch }, size),
    watchPool(read) {
      new Gauge({
        name: 'dateline_database_pool_connections',
        help: 'Database connections in use and idle, and queries that wait for one.',
        labelNames: ['state'],
        registers: [registry],
        collect() {
          const { total, idle, waiting } = read();
          this.set({ state: 'used' }, total - idle);
          this.set({ state: 'idle' }, idle);
          this.set({ state: 'waiting' }, waiting);
        },
      });
    },
    watchDatabase(isAnswering) {
      new Gauge({
        name: 'dateline_database_up',
        help: '1 while the database answers; 0 makes the node not ready.',
        registers: [registry],
        // Of several workers, the one that is worst off.
        aggregator: 'min',
        collect() {
          this.set(isAnswering() ? 1 : 0);
        },
      });
    },
    watchUpstream(read) {
      new Gauge({
        name: 'dateline_upstream_circuit_open',
        help: '1 while requests of some operation are refused because the upstream does not answer them.',
        registers: [registry],
        // Of several workers, the one that is worst off.
        aggregator: 'max',
        collect() {
          this.set(read().circuitOpen ? 1 : 0);
        },
      });
      new Gauge({
        name: 'dateline_upstream_requests_in_flight',
        help: 'Requests to the upstream, and streams from it, that have not ended.',
        registers: [registry],
        collect() {
          this.set(read().inFlight);
        },
      });
    },
    watchDeliveries: (read) => showDeliveries(registry, read),
    watchStandbys: (standbys) => showStandbys(registry, standbys),
    watchWaits: (counts) => showWaits(registry, counts),
    watchRelease(read) {
      // Every worker reports the same releases: their gauges must not be added up.
      const gauge = { registers: [registry], aggregator: 'max' as const };
      new Gauge({
        ...gauge,
        name: 'dateline_release_overdue',
        help: '1 while a release is overdue and not scheduled.',
        collect() {
          this.set(read().overdue ? 1 : 0);
        },
      });
      new Gauge({
        ...gauge,
        name: 'dateline_release_planned_timestamp_seconds',
        help: 'When Next becomes Current; absent if nothing is planned.',
        collect() {
          const { nextReleaseAt } = read();
          if (nextReleaseAt) this.set(nextReleaseAt.getTime() / 1000);
          else this.remove();
        },
      });
    },
  };
}
