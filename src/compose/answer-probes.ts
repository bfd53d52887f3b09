import { environmentNames } from '../environments/environment.ts';
import type { PerEnvironment } from '../environments/open-environments.ts';
import { createSingleDispatch } from '../http/edge/dispatch.ts';
import { type Edge, startEdge } from '../http/edge/edge-server.ts';
import { createOriginGuard } from '../http/edge/origin-guard.ts';
import { createRequestIds } from '../http/edge/request-context.ts';
import { createMetricsApp } from '../http/site/site-app.ts';
import { joinedMetricsText } from '../telemetry/metrics-text.ts';
import { watchStorage } from './background/watch-storage.ts';
import type { EnvironmentRuntime } from './environment-runtime.ts';
import { workerListenAddress } from './listen-address.ts';
import type { EnvironmentData } from './open-data.ts';

/**
 * Takes the port of a worker's probes; null where it has none. One port for both environments: the versions that it knows are those
 * of production. It answers 503 until `answerProbes`.
 */
export async function openProbes(runtimes: PerEnvironment<EnvironmentRuntime>): Promise<Edge | null> {
  const { options, closing, life, metrics } = runtimes.production;
  const address = workerListenAddress(options.config);
  if (address === null) return null;
  const { trustedProxies } = options.config;
  const edge = await startEdge({
    ...address,
    log: options.log,
    metrics,
    // Nothing that is asked here is use of the API.
    countUse() {},
    noteFailure() {},
    recordUnknownCaller() {},
    requestIds: createRequestIds(trustedProxies),
    versions: life.versions,
    originGuard: createOriginGuard(trustedProxies),
  });
  closing.drainFirst(edge.drain);
  return edge;
}

/** Says that the worker is ready, as long as both environments are, and shows the numbers of both. */
export async function answerProbes(
  edge: Edge,
  runtimes: PerEnvironment<EnvironmentRuntime>,
  data: PerEnvironment<EnvironmentData>,
): Promise<void> {
  const problems = environmentNames.map((name) => problemOf(runtimes[name], data[name]));
  const all = environmentNames.map((name) => runtimes[name].metrics);
  const { trustedProxies, requestMs } = runtimes.production.options.config;
  const app = createMetricsApp(joinedMetricsText(all), { trustedProxies, requestMs });
  edge.open(await createSingleDispatch(app), () => first(problems));
}

/** Why one environment cannot be delivered, with its name; null if it can. */
function problemOf(runtime: EnvironmentRuntime, { environment }: EnvironmentData): () => string | null {
  const { name, life, metrics } = runtime;
  metrics.watchPool(() => environment.database.poolUse());
  const storageProblem = watchStorage(runtime, environment);
  return () => {
    const problem = life.problem() ?? storageProblem();
    return problem === null ? null : `${name}: ${problem}`;
  };
}

function first(problems: readonly (() => string | null)[]): string | null {
  for (const problem of problems) {
    const found = problem();
    if (found !== null) return found;
  }
  return null;
}
