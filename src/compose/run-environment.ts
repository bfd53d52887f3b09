import type { Environment } from '../environments/environment.ts';
import { createSigningKeys } from '../oauth/signing/signing-keys.ts';
import type { BackupMaker } from '../recovery/backup/make-backup.ts';
import { createReleaseDesk, type ReleaseDesk } from '../releases/release-desk.ts';
import { serviceMetricsText } from '../telemetry/metrics-text.ts';
import { removeOldRows } from './background/chores.ts';
import { announceReleasesIn, deliverWebhooks } from './background/deliver-webhooks.ts';
import { followReleases } from './background/follow-releases.ts';
import { keepSightingsIn } from './background/keep-sightings.ts';
import { leaveSignsIn } from './background/leave-signs.ts';
import { lookUpCallers, storeFailures, storeUsage } from './background/store-usage.ts';
import { watchDeliveries } from './background/watch-deliveries.ts';
import { watchStorage } from './background/watch-storage.ts';
import { createEnvironmentHandlers } from './environment-handler.ts';
import type { EnvironmentRuntime } from './environment-runtime.ts';
import type { EnvironmentData } from './open-data.ts';
import { type Edges, openEdges } from './open-edge.ts';
import { serveFolder } from './serve-folder.ts';

export interface ServingAt {
  /** Without them, it listens only when it can answer. */
  edges: Edges | undefined;
  /** Of both environments. */
  backups: BackupMaker;
  /** The address of the operators' own listener; null if there is none. */
  operatorUrl: string | null;
  /** Where the other environment serves its console. */
  otherConsole: string | null;
}

/** Runs one environment of a process that serves. */
export async function serveEnvironment(
  runtime: EnvironmentRuntime,
  data: EnvironmentData,
  at: ServingAt,
): Promise<void> {
  const { environment } = data;
  await followReleases(runtime, environment);
  await answerRequests(runtime, data, at);
  keepSightingsIn(runtime, environment);
  leaveSignsIn(runtime, environment);
  watchDeliveries(runtime, environment);
  removeOldRows(runtime, environment);
  if (runtime.options.config.delivers) await deliver(runtime, data);
}

/** Runs one environment of a process that delivers webhooks and serves nothing. */
export async function deliverEnvironment(runtime: EnvironmentRuntime, data: EnvironmentData): Promise<void> {
  await followReleases(runtime, data.environment);
  await deliver(runtime, data);
  leaveSignsIn(runtime, data.environment);
  watchDeliveries(runtime, data.environment);
}

async function deliver(runtime: EnvironmentRuntime, data: EnvironmentData): Promise<void> {
  await deliverWebhooks(runtime, data);
  announceReleasesIn(runtime, data.environment);
}

async function answerRequests(
  runtime: EnvironmentRuntime,
  { environment, box }: EnvironmentData,
  { edges, backups, operatorUrl, otherConsole }: ServingAt,
): Promise<void> {
  const { name, options, build, life, metrics, log, targets, closing } = runtime;
  const shared = {
    environment,
    config: options.config,
    log,
    metrics,
    box,
    signingKeys: createSigningKeys(box),
    targetRules: targets.rules,
    stopLater: closing.stopThen,
  };
  const folder = build.folder && serveFolder(build.folder, shared);
  const callers = lookUpCallers(runtime, environment);
  const handlers = await createEnvironmentHandlers({
    ...shared,
    folder,
    nodeId: runtime.nodeId,
    metricsText: options.metricsText?.(name, metrics) ?? serviceMetricsText(metrics),
    versions: life.versions,
    desk: releaseDeskOf(runtime, environment),
    build,
    usage: storeUsage(runtime, environment, callers),
    failures: storeFailures(runtime, environment, callers),
    backups,
    operatorUrl,
    otherConsole,
  });
  const listening = edges ?? (await openEdges(runtime));
  const storageProblem = watchStorage(runtime, environment);
  const problem = (): string | null => life.problem() ?? storageProblem() ?? folder?.problem() ?? null;
  listening.open.open(handlers.open, problem);
  if (handlers.operator) listening.operator?.open(handlers.operator, problem);
}

/** Where releases of one environment are decided: production keeps the window, the sandbox may rehearse. */
export function releaseDeskOf({ build }: EnvironmentRuntime, { name }: Environment): ReleaseDesk {
  return createReleaseDesk({
    frozen: build.frozen,
    held: build.hashes,
    heldFolder: build.folder?.hashes ?? null,
    rehearsals: name === 'sandbox',
    windowed: name === 'production',
  });
}
