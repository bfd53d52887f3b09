import { existsSync } from 'node:fs';
import { createFolderBuilds } from '../../api/build.ts';
import { watchFolder } from '../../api/folder/watch/watch-folder.ts';
import { configuredUrls, forBoth } from '../../environments/open-environments.ts';
import { StartupError } from '../../errors/startup-error.ts';
import { errorMessage } from '../../kernel/error-facts.ts';
import { extendDemoScopes } from '../../quickstart/extend-demo-scopes.ts';
import { refuseIfHeld } from '../../storage/data-folder-lock.ts';
import { awaitDatabase } from '../await-database.ts';
import { removeOldRows } from '../background/chores.ts';
import { announceReleasesIn, deliverWebhooks } from '../background/deliver-webhooks.ts';
import { keepSightingsIn } from '../background/keep-sightings.ts';
import { leaveSignsIn } from '../background/leave-signs.ts';
import { watchDeliveries } from '../background/watch-deliveries.ts';
import { type Closing, closingOnFailure } from '../closing.ts';
import { createRuntime, type EnvironmentRuntime, newNodeId } from '../environment-runtime.ts';
import { listenAddress } from '../listen-address.ts';
import { backupsOf, type EnvironmentData, openData } from '../open-data.ts';
import { openEdge } from '../open-edge.ts';
import { keepRequests } from '../run-environment.ts';
import { type PreparedQuickstart, seedQuickstart } from '../seed-quickstart.ts';
import type { ServiceOptions } from '../service-options.ts';
import type { ApiGeneration } from './api-generation.ts';
import { createCallTraces } from './call-trace.ts';
import type { DevReport, ServedFacts } from './dev-report.ts';
import { following } from './following.ts';
import { createGenerations, type Generations } from './generations.ts';
import { type EditReading, nextEdit, problemsIn, type ReadEdit, readEdit } from './read-edit.ts';

export interface DevOptions extends ServiceOptions {
  /** The folder that is served and watched. */
  folder: string;
  /** Answers by the examples of the contract, and asks no upstream. */
  mocks: boolean;
  /** Requests are logged, too. */
  logsRequests: boolean;
  report: DevReport;
}

export interface DevService {
  /** Where the sandbox listens. */
  url: string;
  quickstart: PreparedQuickstart;
  /** What is served now. */
  current(): ApiGeneration;
  countUncaught(): void;
  stop(): Promise<void>;
}

/** Serves the sandbox of a folder, and follows the edits of that. Production has no port and answers nothing. */
export async function startDev(options: DevOptions): Promise<DevService> {
  const { config, report } = options;
  const traces = createCallTraces();
  const reading = readingOf(options, traces.watch);
  const buildOf = createFolderBuilds(traces.watch);
  return closingOnFailure(config, async (closing) => {
    if (config.databaseUrl === null) refuseIfHeld(config.dataDir);
    const first = await firstGoodEdit(reading, report);
    const runtimes = await createRuntimes({ options, build: buildOf(first.read), closing });
    const generations = createGenerations({ runtime: runtimes.sandbox, traces, buildOf, ...options });
    const runtime = { ...runtimes.sandbox, life: following(() => generations.life()) };
    const edge = await openEdge(
      { ...runtime, log: requestLog(options) },
      listenAddress(config, 'sandbox'),
      generations.edgeOptions,
    );
    const urls = { ...configuredUrls(config), sandbox: edge.url };
    const data = await awaitDatabase(options, () => openData(runtimes, urls));
    const quickstart = await seedQuickstart(data, config, { production: null, sandbox: null });
    const live = liveData(data.sandbox, generations);
    const kept = keepRequests(runtime, data.sandbox.environment);
    const at = { ...kept, backups: backupsOf(data, config), operatorUrl: null, otherConsole: null };
    await generations.begin(data.sandbox, at, first);
    await extendScopes(generations, quickstart);
    edge.open(generations.handle, () => generations.current().problem());
    await runBeside(runtime, live);
    closing.stopThen(followEdits(reading, first, { report, generations, quickstart }));
    return {
      url: edge.url,
      quickstart,
      current: generations.current,
      countUncaught: () => runtime.metrics.countUncaught(),
      stop: () => closing.close(config.shutdownMs),
    };
  });
}

/** Calls are shown: where nobody has asked for it, the log does not say the same again. */
function requestLog({ log, logsRequests }: DevOptions): DevOptions['log'] {
  return logsRequests ? log : log.child({}, { level: 'fatal' });
}

function readingOf({ folder, config }: DevOptions, watch: EditReading['watch']): EditReading {
  return { folder, ignored: config.dataDir, requestMs: config.requestMs, watch };
}

/** What is wrong with a folder at the start is told, and waited for: it is about to be mended. */
async function firstGoodEdit(reading: EditReading, report: DevReport): Promise<ReadEdit> {
  if (!existsSync(reading.folder))
    throw new StartupError(
      `There is no folder ${reading.folder}; name another one with --api, or make one with "dateline init".`,
    );
  for (;;) {
    const changed = await nextEdit(reading);
    try {
      return await readEdit(reading);
    } catch (error) {
      report.refused(problemsIn(error), { isFirst: true });
    }
    await changed();
  }
}

function createRuntimes(parts: {
  options: ServiceOptions;
  build: EnvironmentRuntime['build'];
  closing: Closing;
}) {
  const nodeId = newNodeId();
  return forBoth((name) => createRuntime(name, { ...parts, kind: 'serve', nodeId, tracer: null }));
}

/** The data with what is known of the API now, for what runs as long as the process does. */
function liveData({ box }: EnvironmentData, generations: Generations): EnvironmentData {
  return { box, environment: following(() => generations.current().environment) };
}

async function runBeside(runtime: EnvironmentRuntime, data: EnvironmentData): Promise<void> {
  const { environment } = data;
  keepSightingsIn(runtime, environment);
  leaveSignsIn(runtime, environment);
  watchDeliveries(runtime, environment);
  removeOldRows(runtime, environment);
  if (!runtime.options.config.delivers) return;
  await deliverWebhooks(runtime, data);
  announceReleasesIn(runtime, environment);
}

interface Followed {
  report: DevReport;
  generations: Generations;
  quickstart: PreparedQuickstart;
}

async function serveEdit(
  reading: EditReading,
  generations: Generations,
  quickstart: PreparedQuickstart,
): Promise<ServedFacts> {
  const before = process.cpuUsage();
  const warnings = await generations.replace(await readEdit(reading));
  // It is served, whatever becomes of the token.
  const newScopes = await extendScopes(generations, quickstart).catch((error: unknown) => {
    warnings.push(`Warning: the demo client has no new scopes: ${errorMessage(error)}`);
    return [];
  });
  const { user, system } = process.cpuUsage(before);
  return { processorMs: (user + system) / 1_000, warnings, newScopes };
}

/** The demo token reaches what an edit adds. */
async function extendScopes(generations: Generations, { path }: PreparedQuickstart): Promise<string[]> {
  return extendDemoScopes(generations.current().environment, path);
}

/** One edit after the other, the newest wins. */
function followEdits(
  reading: EditReading,
  first: ReadEdit,
  { report, generations, quickstart }: Followed,
): () => Promise<void> {
  return watchFolder({
    ...reading,
    begin: first,
    async onEdit({ digest, isNewest }) {
      if (digest === generations.digest()) {
        report.restored();
        return true;
      }
      try {
        report.served(await serveEdit(reading, generations, quickstart));
        return true;
      } catch (error) {
        // Half of an edit may be wrong where the whole is not.
        if (!(await isNewest())) return false;
        report.refused(problemsIn(error), { isFirst: false });
        return true;
      }
    },
    onError: (error) => report.refused(problemsIn(error), { isFirst: false }),
  });
}
