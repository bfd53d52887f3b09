import { type Build, buildFacts, readBuild } from './api/build.ts';
import { requireShorterCalls } from './api/folder/require-shorter-calls.ts';
import { answerProbes, openProbes } from './compose/answer-probes.ts';
import { awaitDatabase } from './compose/await-database.ts';
import { followReleases } from './compose/background/follow-releases.ts';
import { closingOnFailure } from './compose/closing.ts';
import {
  createRuntime,
  type EnvironmentRuntime,
  newNodeId,
  type RuntimeParts,
} from './compose/environment-runtime.ts';
import { listenAddress, operatorListenAddress } from './compose/listen-address.ts';
import { backupsOf, logPooler, openData } from './compose/open-data.ts';
import { openEdges } from './compose/open-edge.ts';
import { openTracer } from './compose/open-tracer.ts';
import { otherConsole } from './compose/other-console.ts';
import { deliverEnvironment, serveEnvironment } from './compose/run-environment.ts';
import { type PreparedQuickstart, seedQuickstart } from './compose/seed-quickstart.ts';
import type { ServiceOptions } from './compose/service-options.ts';
import type { Config } from './config/load-config.ts';
import { GONE_AFTER_MS, listNodes } from './doctor/node-signs.ts';
import { type Environment, type EnvironmentName, otherThan } from './environments/environment.ts';
import {
  configuredOperatorUrls,
  configuredUrls,
  forBoth,
  type PerEnvironment,
} from './environments/open-environments.ts';
import { StartupError } from './errors/startup-error.ts';
import { refuseTakenPort } from './http/edge/listen.ts';
import { endLostAccess, type LostAccess, type LostWindow } from './recovery/lost-access/end-lost-access.ts';
import { refuseIfHeld } from './storage/data-folder-lock.ts';

export type { PreparedQuickstart, ServiceOptions };

export interface Service {
  /** Where each environment listens. */
  readonly urls: PerEnvironment<string>;
  /** Where each listens for its operators; null where that is the same. */
  readonly operatorUrls: PerEnvironment<string | null>;
  readonly quickstart: PreparedQuickstart | null;
  /** Counts an error that nothing has caught: it belongs to the process, so both environments show it. */
  countUncaught(): void;
  /** Finishes what is in flight, then closes the databases. */
  stop(): Promise<void>;
}

/** Starts both environments. The ports are taken before anything is written; they answer 503 until all is ready. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, log, alreadyPrepared, hasSiblings } = options;
  const build = await servedBuild(options);
  return closingOnFailure(config, async (closing) => {
    if (config.databaseUrl === null) refuseIfHeld(config.dataDir);
    const tracer = await openTracer(options, build, closing);
    const runtimes = await createRuntimes('serve', { options, build, closing, tracer });
    const edges = hasSiblings ? null : await forBoth((name) => openEdges(runtimes[name]));
    const urls = edges ? await forBoth((name) => edges[name].open.url) : configuredUrls(config);
    const operatorUrls = edges
      ? await forBoth((name) => edges[name].operator?.url ?? null)
      : configuredOperatorUrls(config);
    const data = await awaitDatabase(options, () => openData(runtimes, urls));
    // Not before: a start that is refused says one sentence, and nothing else.
    log.info({ role: 'serve', build: buildFacts(build) }, 'starting');
    logPooler(options, data);
    const quickstart = alreadyPrepared ? null : await seedQuickstart(data, config, operatorUrls);
    const backups = backupsOf(data, config);
    const consoleOf = (name: EnvironmentName) => ({
      issuer: data[name].environment.issuer,
      operatorUrl: operatorUrls[name],
    });
    await forBoth((name) =>
      serveEnvironment(runtimes[name], data[name], {
        edges: edges?.[name],
        backups,
        operatorUrl: operatorUrls[name],
        otherConsole: otherConsole(consoleOf(name), consoleOf(otherThan(name))),
      }),
    );
    log.info({ role: 'serve', urls, operator_urls: operatorUrls }, 'ready');
    return {
      urls,
      operatorUrls,
      quickstart,
      countUncaught: () => countUncaught(runtimes),
      stop: () => stopWith(log, () => closing.close(config.shutdownMs)),
    };
  });
}

export interface DeliveringWorker extends Pick<Service, 'countUncaught' | 'stop'> {
  /** Where it answers probes; null where it does not. */
  readonly probesUrl: string | null;
}

/** Delivers webhooks, and answers probes if it has a port: a process of its own beside those that serve. */
export async function startWorker(options: ServiceOptions): Promise<DeliveringWorker> {
  const { config, log } = options;
  const build = options.build ?? (await readBuild(config.apiFolder));
  return closingOnFailure(config, async (closing) => {
    const tracer = await openTracer(options, build, closing);
    const runtimes = await createRuntimes('worker', { options, build, closing, tracer });
    const probes = await openProbes(runtimes);
    const data = await awaitDatabase(options, () => openData(runtimes, configuredUrls(config)));
    log.info({ role: 'worker', build: buildFacts(build) }, 'starting');
    logPooler(options, data);
    await forBoth((name) => deliverEnvironment(runtimes[name], data[name]));
    if (probes) await answerProbes(probes, runtimes, data);
    log.info({ role: 'worker' }, 'ready');
    return {
      probesUrl: probes?.url ?? null,
      countUncaught: () => countUncaught(runtimes),
      stop: () => stopWith(log, () => closing.close(config.shutdownMs)),
    };
  });
}

function countUncaught(runtimes: PerEnvironment<EnvironmentRuntime>): void {
  for (const { metrics } of Object.values(runtimes)) metrics.countUncaught();
}

async function stopWith(log: ServiceOptions['log'], stop: () => Promise<void>): Promise<void> {
  log.info('stopping');
  await stop();
  log.info('stopped');
}

/** Migrates and seeds without serving: what the first process of several does before it starts the others. */
export async function prepareService(options: ServiceOptions): Promise<PreparedQuickstart> {
  const { config } = options;
  const build = await servedBuild(options);
  return closingOnFailure(config, async (closing) => {
    const runtimes = await createRuntimes('serve', { options, build, closing, tracer: null });
    const data = await awaitDatabase(options, () => openData(runtimes, configuredUrls(config)));
    const prepared = await seedQuickstart(data, config, configuredOperatorUrls(config));
    await closing.close(0);
    return prepared;
  });
}

/** Ends the access of a restored database without serving it: see src/recovery/lost-access. */
export async function endLostAccessOf(
  options: ServiceOptions,
  window: LostWindow,
): Promise<PerEnvironment<LostAccess>> {
  const build = await servedBuild(options);
  return closingOnFailure(options.config, async (closing) => {
    const runtimes = await createRuntimes('serve', { options, build, closing, tracer: null });
    const data = await awaitDatabase(options, () => openData(runtimes, configuredUrls(options.config)));
    // Events are rendered in the versions that the ledger says.
    await forBoth((name) => followReleases(runtimes[name], data[name].environment));
    await refuseLiveNodes(data.production.environment, runtimes.production.nodeId);
    const ended = await forBoth((name) => endLostAccess(data[name].environment, window));
    await closing.close(0);
    return ended;
  });
}

/** On a server nothing else shows that somebody uses the data; the folder of the embedded database has a lock. */
async function refuseLiveNodes(environment: Environment, selfId: string): Promise<void> {
  if (environment.database.engine === 'pglite') return;
  const live = (await listNodes(environment, selfId)).find(({ state }) => state === 'live');
  if (!live) return;
  throw new StartupError(
    `The node ${live.name} uses this database; stop all nodes first. One that was killed counts for ${GONE_AFTER_MS / 1000} seconds.`,
  );
}

/** Throws what `startService` would throw about a port that cannot be had, before anything else is done. */
export async function refuseTakenPorts(config: Config): Promise<void> {
  await forBoth(async (name) => {
    const operators = operatorListenAddress(config, name);
    await refuseTakenPort(listenAddress(config, name));
    if (operators) await refuseTakenPort(operators);
  });
}

/** The build of a process that serves. Calls to an upstream must end while their callers still wait. */
async function servedBuild({ build, config }: ServiceOptions): Promise<Build> {
  const served = build ?? (await readBuild(config.apiFolder));
  if (served.folder) requireShorterCalls(served.folder.config, config.requestMs);
  return served;
}

function createRuntimes(
  kind: RuntimeParts['kind'],
  parts: Omit<RuntimeParts, 'kind' | 'nodeId'>,
): Promise<PerEnvironment<EnvironmentRuntime>> {
  const nodeId = newNodeId();
  return forBoth((name) => createRuntime(name, { ...parts, kind, nodeId }));
}
