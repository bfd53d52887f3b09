import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '../errors/startup-error.ts';
import { errorMessage } from '../kernel/error-facts.ts';
import {
  prepareService,
  refuseTakenPorts,
  type Service,
  type ServiceOptions,
  startService,
} from '../main.ts';
import { CommandError } from './command-error.ts';
import { type ProcessEnd, stopLimitMs } from './process-end.ts';
import { addUpMetrics, createMetricsAsker } from './worker-metrics.ts';

type Addresses = Pick<Service, 'urls' | 'operatorUrls'>;
export type Ready = Addresses & Pick<Service, 'quickstart'>;

/** Messages from a worker to the first process, besides its metrics. */
type WorkerNews = ({ type: 'ready' } & Addresses) | { type: 'failed'; reason: string };

const RESTART_MS = 1_000;

/**
 * The first process of several: prepares the databases, starts the workers, replaces one that dies, and adds up
 * their metrics. It serves nothing itself.
 */
export async function runWorkers(
  count: number,
  { options, end }: { options: ServiceOptions; end: ProcessEnd },
  announce: (ready: Ready) => void,
): Promise<void> {
  await refuseTakenPorts(options.config);
  const quickstart = await prepareService(options);
  // Workers take connections from the shared socket by themselves. Were they dealt out by this process, one that
  // is dealt to a worker in the moment it dies would hang for ever. The price is that load is spread less evenly.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  addUpMetrics(liveWorkers);
  const limitMs = stopLimitMs(options.config);
  let stopping = false;
  const stopAll = async (): Promise<void> => {
    stopping = true;
    await Promise.all(liveWorkers().map((worker) => stopWorker(worker, limitMs)));
  };
  end.stops({ stop: stopAll, stopLimitMs: 2 * limitMs }, ['SIGTERM', 'SIGINT']);

  async function replaceWhenDead(worker: Worker): Promise<void> {
    await new Promise((resolve) => worker.once('exit', resolve));
    if (stopping) return;
    options.log.error({ worker: worker.process.pid }, 'worker died; starting another');
    await delay(RESTART_MS);
    if (stopping) return;
    const { worker: next, ready } = startWorker();
    ready.catch((error: Error) => options.log.error({ internal: error.message }, 'worker not started'));
    await replaceWhenDead(next);
  }

  const starting = Array.from({ length: count }, startWorker);
  try {
    const [addresses] = await Promise.all(
      starting.map(async ({ worker, ready }) => {
        const readyAt = await ready;
        void replaceWhenDead(worker);
        return readyAt;
      }),
    );
    if (addresses) announce({ ...addresses, quickstart });
  } catch (error) {
    await stopAll();
    throw error;
  }
}

/** One of the workers: serves, and reports to the first process. */
export async function runWorker(options: ServiceOptions, end: ProcessEnd): Promise<void> {
  try {
    const { metricsText, reportLast } = createMetricsAsker();
    const service = await startService({
      ...options,
      say() {},
      alreadyPrepared: true,
      hasSiblings: true,
      metricsText,
    });
    // Ctrl-C reaches the workers too, but the first process decides when they stop.
    process.on('SIGINT', () => {});
    const stop = async (): Promise<void> => {
      await service.stop();
      await reportLast();
    };
    end.stops({ ...service, stop, stopLimitMs: stopLimitMs(options.config) }, ['SIGTERM']);
    report({ type: 'ready', urls: service.urls, operatorUrls: service.operatorUrls });
  } catch (error) {
    // The first process prints it, once; here each of them would.
    report({ type: 'failed', reason: errorMessage(error) });
    process.disconnect();
  }
}

function liveWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).flatMap((worker) => (worker?.isConnected() ? [worker] : []));
}

function startWorker(): { worker: Worker; ready: Promise<Addresses> } {
  const worker = cluster.fork();
  // A message to a worker that is dying fails; its exit is noticed anyway.
  worker.on('error', () => {});
  const ready = new Promise<Addresses>((resolve, reject) => {
    worker.on('message', (news: WorkerNews) => {
      if (news.type === 'ready') resolve(news);
      if (news.type === 'failed') reject(new StartupError(news.reason));
    });
    worker.once('exit', () => reject(new CommandError('A worker ended while it started; its log says why.')));
  });
  ready.catch(() => {}); // Replacements are not awaited: they are started again when they exit.
  return { worker, ready };
}

async function stopWorker(worker: Worker, limitMs: number): Promise<void> {
  if (worker.isDead()) return;
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const cutOff = setTimeout(() => worker.process.kill('SIGKILL'), limitMs);
  worker.process.kill('SIGTERM');
  await ended;
  clearTimeout(cutOff);
}

function report(news: WorkerNews): void {
  process.send?.(news);
}
