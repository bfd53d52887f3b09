import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import type { EnvironmentName } from '../environments/environment.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { MetricsText } from '../telemetry/metrics-text.ts';

// A scraper reaches one worker, and wants the numbers of all. So a worker that is asked for /metrics asks the first
// process, which collects from every worker, adds up, and answers.

type Collected = MetricObjectWithValues<MetricValue<string>>[];

type FromWorker =
  | { type: 'metrics-wanted'; id: number; environment: EnvironmentName }
  | { type: 'collected'; id: number | null; environment: EnvironmentName; metrics: Collected };

type ToWorker =
  | { type: 'collect'; id: number; environment: EnvironmentName }
  | { type: 'metrics-text'; id: number; text: string };

// A worker that is busy or dying is not waited for: its last numbers count.
const COLLECT_LIMIT_MS = 2_000;
const ANSWER_LIMIT_MS = 2 * COLLECT_LIMIT_MS;

/** In the first process. */
export function addUpMetrics(liveWorkers: () => readonly Worker[]): void {
  const collections = new Map<number | null, () => void>();
  const known = { production: createKnownMetrics(), sandbox: createKnownMetrics() };
  let lastId = 0;

  async function collect(environment: EnvironmentName): Promise<Collected[]> {
    const workers = liveWorkers();
    let missing = workers.length;
    lastId += 1;
    const id = lastId;
    await new Promise<void>((resolve) => {
      const limit = setTimeout(resolve, COLLECT_LIMIT_MS);
      collections.set(id, () => {
        missing -= 1;
        if (missing > 0) return;
        clearTimeout(limit);
        resolve();
      });
      for (const worker of workers) sendTo(worker, { type: 'collect', id, environment });
    });
    collections.delete(id);
    return known[environment].parts();
  }

  cluster.on('exit', (worker) => {
    for (const ofEnvironment of Object.values(known)) ofEnvironment.ended(worker.id);
  });
  cluster.on('message', (asker, message: FromWorker) => {
    if (message.type === 'collected') {
      known[message.environment].collected(asker.id, message.metrics);
      collections.get(message.id)?.();
    }
    if (message.type !== 'metrics-wanted') return;
    void collect(message.environment)
      .then((parts) => AggregatorRegistry.aggregate(parts).metrics())
      .then((text) => sendTo(asker, { type: 'metrics-text', id: message.id, text }));
  });
}

/** The last numbers of each worker. Sums must never fall: a scraper would take that for a restart, and count everything again. */
function createKnownMetrics() {
  const last = new Map<number, Collected>();
  let ofEnded: Collected[] = [];
  return {
    collected(worker: number, metrics: Collected): void {
      last.set(worker, metrics);
    },
    /** Keeps its counters, and drops its gauges. */
    ended(worker: number): void {
      const counted = last.get(worker)?.filter(({ type }) => String(type) !== 'gauge');
      last.delete(worker);
      if (counted) ofEnded.push(counted);
    },
    async parts(): Promise<Collected[]> {
      if (ofEnded.length > 1) {
        const sum = await AggregatorRegistry.aggregate(ofEnded).getMetricsAsJSON();
        ofEnded = [sum as Collected];
      }
      return [...ofEnded, ...last.values()];
    },
  };
}

function sendTo(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {});
}

/** In a worker: reports its own metrics, and requests those of all workers. */
export function createMetricsAsker() {
  const own = new Map<EnvironmentName, Metrics>();
  const waiting = new Map<number, (text: string) => void>();
  let lastId = 0;

  process.on('message', (message: ToWorker) => {
    if (message.type === 'metrics-text') waiting.get(message.id)?.(message.text);
    if (message.type === 'collect') void handOut(message.id, message.environment);
  });

  async function askForAll(environment: EnvironmentName): Promise<string> {
    lastId += 1;
    const id = lastId;
    try {
      return await new Promise<string>((resolve, reject) => {
        setTimeout(() => reject(new Error('the first process did not answer')), ANSWER_LIMIT_MS).unref();
        waiting.set(id, resolve);
        void sendToFirst({ type: 'metrics-wanted', id, environment });
      });
    } finally {
      waiting.delete(id);
    }
  }

  /** The id is that of the question, and null where nobody has asked. */
  async function handOut(id: number | null, environment: EnvironmentName): Promise<void> {
    const collected = (await own.get(environment)?.registry.getMetricsAsJSON()) ?? [];
    await sendToFirst({ type: 'collected', id, environment, metrics: collected as Collected });
  }

  return {
    /** Sends what was counted since the last collection: it would be lost with this process. */
    async reportLast(): Promise<void> {
      for (const environment of own.keys()) await handOut(null, environment);
    },
    metricsText(environment: EnvironmentName, metrics: Metrics): MetricsText {
      own.set(environment, metrics);
      return async () => ({
        contentType: Registry.PROMETHEUS_CONTENT_TYPE,
        text: await askForAll(environment),
      });
    },
  };
}

/** Resolves when it was handed over, or cannot be: the first process may have ended. */
function sendToFirst(message: FromWorker): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve());
    else resolve();
  });
}
