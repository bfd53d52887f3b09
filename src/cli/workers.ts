import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import type { EnvironmentName } from '../environments/environment.ts';
import { StartupError } from '../errors/startup-error.ts';
import type { Metrics } from '../http/metrics.ts';
import type { MetricsText } from '../http/metrics-text.ts';
import { prepareService, type Service, type ServiceOptions, startService } from '../main.ts';
import { CommandError } from './command.ts';
import { onStopSignal } from './stop-signal.ts';

export type Ready = Pick<Service, 'urls' | 'quickstart'>;

type Collected = MetricObjectWithValues<MetricValue<string>>[];

type FromWorker =
  | { type: 'ready'; urls: Service['urls'] }
  | { type: 'failed'; reason: string }
  | { type: 'metrics-wanted'; id: number; environment: EnvironmentName }
  | { type: 'collected'; id: number; metrics: Collected };

type ToWorker =
  | { type: 'collect'; id: number; environment: EnvironmentName }
  | { type: 'metrics-text'; id: number; text: string };

const RESTART_MS = 1_000;
const COLLECT_TIMEOUT_MS = 2_000;

/**
 * The first process: prepares the databases, starts the workers, replaces one that dies, and adds up their
 * metrics. It serves nothing itself.
 */
export async function runWorkers(
  count: number,
  options: ServiceOptions,
  announce: (ready: Ready) => void,
): Promise<void> {
  const quickstart = await prepareService(options);
  // Workers take connections from the shared socket by themselves. Were they dealt out by this process, one that
  // is dealt to a worker in the moment it dies would hang for ever. The price is that load is spread less evenly.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  let stopping = false;
  const collections = createCollections();

  cluster.on('message', (worker, message: FromWorker) => {
    if (message.type === 'metrics-wanted') void collections.answer(worker, message);
    if (message.type === 'collected') collections.add(message.id, message.metrics);
  });
  onStopSignal(async () => {
    stopping = true;
    await Promise.all(liveWorkers().map(stopWorker));
  });

  const first = await Promise.all(Array.from({ length: count }, () => startWorker())).catch(
    async (error: unknown) => {
      await Promise.all(liveWorkers().map(stopWorker));
      throw error;
    },
  );
  cluster.on('exit', (worker, code, signal) => {
    if (stopping) return;
    options.log.error({ worker: worker.process.pid, code, signal }, 'worker died; starting another');
    void keepTrying(() => !stopping);
  });
  const [urls] = first;
  if (urls) announce({ urls, quickstart });
}

/** One of the workers: serves, and says so to the first process. */
export async function runWorker(options: ServiceOptions): Promise<void> {
  const collector = createCollector();
  try {
    const service = await startService({
      ...options,
      say() {},
      alreadyPrepared: true,
      metricsText: collector.metricsText,
    });
    onStopSignal(() => service.stop());
    tell({ type: 'ready', urls: service.urls });
  } catch (error) {
    tell({ type: 'failed', reason: (error as Error).message });
    // What a worker could not do, the first process says; here it would be said once for each of them.
    setTimeout(() => process.exit(1), 100);
  }
}

function liveWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}

async function startWorker(): Promise<Service['urls']> {
  const worker = cluster.fork();
  return new Promise((resolve, reject) => {
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'ready') resolve(message.urls);
      if (message.type === 'failed') reject(new StartupError(message.reason));
    });
    worker.once('exit', (code) =>
      reject(new CommandError(`A worker ended with code ${code} while it started.`)),
    );
  });
}

async function keepTrying(wanted: () => boolean): Promise<void> {
  await delay(RESTART_MS);
  // One that fails to start exits, which brings us here again.
  if (wanted()) await startWorker().catch(() => {});
}

async function stopWorker(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.process.kill('SIGTERM');
  await ended;
}

/** In the first process: asks every worker for its numbers and answers the one that was asked. */
function createCollections() {
  const open = new Map<number, { parts: Collected[]; done(): void }>();
  let lastId = 0;
  return {
    add(id: number, metrics: Collected): void {
      const collection = open.get(id);
      collection?.parts.push(metrics);
      if (collection && collection.parts.length >= liveWorkers().length) collection.done();
    },
    async answer(
      asker: Worker,
      { id, environment }: { id: number; environment: EnvironmentName },
    ): Promise<void> {
      lastId += 1;
      const ownId = lastId;
      const parts: Collected[] = [];
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, COLLECT_TIMEOUT_MS);
        const done = (): void => {
          clearTimeout(timer);
          resolve();
        };
        open.set(ownId, { parts, done });
        for (const worker of liveWorkers())
          worker.send({ type: 'collect', id: ownId, environment } satisfies ToWorker);
      });
      open.delete(ownId);
      const text = await AggregatorRegistry.aggregate(parts).metrics();
      asker.send({ type: 'metrics-text', id, text } satisfies ToWorker);
    },
  };
}

/** In a worker: hands out its own numbers, and asks the first process for everybody's. */
function createCollector() {
  const own = new Map<EnvironmentName, Metrics>();
  const waiting = new Map<number, (text: string) => void>();
  let lastId = 0;
  process.on('message', (message: ToWorker) => {
    if (message.type === 'metrics-text') waiting.get(message.id)?.(message.text);
    if (message.type === 'collect') {
      const registry = own.get(message.environment)?.registry;
      void Promise.resolve(registry?.getMetricsAsJSON() ?? []).then((metrics) =>
        tell({ type: 'collected', id: message.id, metrics: metrics as Collected }),
      );
    }
  });
  const metricsText = (environment: EnvironmentName, metrics: Metrics): MetricsText => {
    own.set(environment, metrics);
    return async () => {
      lastId += 1;
      const id = lastId;
      const text = await new Promise<string>((resolve) => {
        waiting.set(id, resolve);
        tell({ type: 'metrics-wanted', id, environment });
      });
      waiting.delete(id);
      return { contentType: Registry.PROMETHEUS_CONTENT_TYPE, text };
    };
  };
  return { metricsText };
}

function tell(message: FromWorker): void {
  process.send?.(message);
}
