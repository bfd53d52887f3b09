import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import type { EnvironmentName } from '../environments/environment.ts';
import type { Metrics } from '../http/metrics.ts';
import type { MetricsText } from '../http/metrics-text.ts';

// A scraper reaches one worker, and wants the numbers of all. So a worker that is asked for /metrics asks the first
// process, which collects from every worker, adds up, and answers.

type Collected = MetricObjectWithValues<MetricValue<string>>[];

type FromWorker =
  | { type: 'metrics-wanted'; id: number; environment: EnvironmentName }
  | { type: 'collected'; id: number; metrics: Collected };

type ToWorker =
  | { type: 'collect'; id: number; environment: EnvironmentName }
  | { type: 'metrics-text'; id: number; text: string };

// A worker that is busy or dying is left out rather than waited for.
const COLLECT_LIMIT_MS = 2_000;
const ANSWER_LIMIT_MS = 2 * COLLECT_LIMIT_MS;

/** In the first process. */
export function addUpMetrics(liveWorkers: () => readonly Worker[]): void {
  const collections = new Map<number, (metrics: Collected) => void>();
  let lastId = 0;

  async function collect(environment: EnvironmentName): Promise<Collected[]> {
    const workers = liveWorkers();
    const parts: Collected[] = [];
    lastId += 1;
    const id = lastId;
    await new Promise<void>((resolve) => {
      const limit = setTimeout(resolve, COLLECT_LIMIT_MS);
      collections.set(id, (metrics) => {
        parts.push(metrics);
        if (parts.length < workers.length) return;
        clearTimeout(limit);
        resolve();
      });
      for (const worker of workers) send(worker, { type: 'collect', id, environment });
    });
    collections.delete(id);
    return parts;
  }

  cluster.on('message', (asker, message: FromWorker) => {
    if (message.type === 'collected') collections.get(message.id)?.(message.metrics);
    if (message.type !== 'metrics-wanted') return;
    void collect(message.environment)
      .then((parts) => AggregatorRegistry.aggregate(parts).metrics())
      .then((text) => send(asker, { type: 'metrics-text', id: message.id, text }));
  });
}

function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {});
}

/** In a worker: hands out its own numbers, and asks for everybody's. */
export function createMetricsAsker() {
  const own = new Map<EnvironmentName, Metrics>();
  const waiting = new Map<number, (text: string) => void>();
  let lastId = 0;

  process.on('message', (message: ToWorker) => {
    if (message.type === 'metrics-text') waiting.get(message.id)?.(message.text);
    if (message.type === 'collect') void handOut(message.id, own.get(message.environment));
  });

  async function askForAll(environment: EnvironmentName): Promise<string> {
    lastId += 1;
    const id = lastId;
    try {
      return await new Promise<string>((resolve, reject) => {
        setTimeout(() => reject(new Error('the first process did not answer')), ANSWER_LIMIT_MS).unref();
        waiting.set(id, resolve);
        tell({ type: 'metrics-wanted', id, environment });
      });
    } finally {
      waiting.delete(id);
    }
  }

  return {
    metricsText(environment: EnvironmentName, metrics: Metrics): MetricsText {
      own.set(environment, metrics);
      return async () => ({
        contentType: Registry.PROMETHEUS_CONTENT_TYPE,
        text: await askForAll(environment),
      });
    },
  };
}

async function handOut(id: number, metrics: Metrics | undefined): Promise<void> {
  const collected = (await metrics?.registry.getMetricsAsJSON()) ?? [];
  tell({ type: 'collected', id, metrics: collected as Collected });
}

function tell(message: FromWorker): void {
  process.send?.(message);
}
