import type { Environment } from '../environments/environment.ts';
import type { ReadinessFacts } from '../http/edge/edge-state.ts';
import { createSigningKeys } from '../oauth/signing/signing-keys.ts';
import type { BackupMaker } from '../recovery/backup/make-backup.ts';
import { createReleaseDesk, type ReleaseDesk } from '../releases/release-desk.ts';
import { serviceMetricsText } from '../telemetry/metrics-text.ts';
import type { FailureKeeper } from '../usage/failures/keep-failures.ts';
import type { UsageKeeper } from '../usage/keep-usage.ts';
import { removeOldRows } from './background/chores.ts';
import { announceReleasesIn, deliverWebhooks } from './background/deliver-webhooks.ts';
import { followReleases } from './background/follow-releases.ts';
import { keepLeasesIn } from './background/keep-leases.ts';
import { keepSightingsIn } from './background/keep-sightings.ts';
import { leaveSignsIn } from './background/leave-signs.ts';
import { lookUpCallers, storeFailures, storeUsage } from './background/store-usage.ts';
import { watchDeliveries } from './background/watch-deliveries.ts';
import { watchStorage } from './background/watch-storage.ts';
import { createEnvironmentHandlers, type EnvironmentHandlers } from './environment-handler.ts';
import type { EnvironmentRuntime } from './environment-runtime.ts';
import type { EnvironmentData } from './open-data.ts';
import { type Edges, openEdges } from './open-edge.ts';
import { type BackendHooks, serveFolder } from './serve-folder.ts';

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
  keepLeasesIn(runtime, environment);
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
  data: EnvironmentData,
  { edges, ...at }: ServingAt,
): Promise<void> {
  const { handlers, problem } = await createAnswers(runtime, data, {
    ...at,
    ...keepRequests(runtime, data.environment),
  });
  const listening = edges ?? (await openEdges(runtime));
  const facts = (): ReadinessFacts | null => standbysRead(data.environment.standbys);
  listening.open.open(handlers.open, problem, facts);
  if (handlers.operator) listening.operator?.open(handlers.operator, problem, facts);
}

/** A node without its standbys is fit to serve: the primary answers. */
function standbysRead({ links }: Environment['standbys']): ReadinessFacts | null {
  if (links.length === 0) return null;
  return { standbys: { read: links.filter((link) => link.mayBeRead()).length, of: links.length } };
}

/** The parts of answering that last as long as the process does: what requests leave behind, and whether the database is there. */
export interface KeptRequests {
  usage: UsageKeeper;
  failures: FailureKeeper;
  storageProblem(): string | null;
}

export function keepRequests(runtime: EnvironmentRuntime, environment: Environment): KeptRequests {
  const callers = lookUpCallers(runtime, environment);
  return {
    usage: storeUsage(runtime, environment, callers),
    failures: storeFailures(runtime, environment, callers),
    storageProblem: watchStorage(runtime, environment),
  };
}

export interface Answers {
  handlers: EnvironmentHandlers;
  /** Why the node is not fit to serve; null if it is. */
  problem(): string | null;
}

export type AnswersAt = Omit<ServingAt, 'edges'> & KeptRequests & { hooks?: BackendHooks };

/** Makes what answers the requests of one environment, by the build of its runtime. */
export async function createAnswers(
  runtime: EnvironmentRuntime,
  { environment, box }: EnvironmentData,
  { backups, operatorUrl, otherConsole, usage, failures, storageProblem, hooks }: AnswersAt,
): Promise<Answers> {
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
  const folder = build.folder && serveFolder(build.folder, shared, hooks);
  const handlers = await createEnvironmentHandlers({
    ...shared,
    folder,
    nodeId: runtime.nodeId,
    metricsText: options.metricsText?.(name, metrics) ?? serviceMetricsText(metrics),
    versions: life.versions,
    desk: releaseDeskOf(runtime, environment),
    build,
    usage,
    failures,
    backups,
    operatorUrl,
    otherConsole,
  });
  return {
    handlers,
    problem: () => life.problem() ?? storageProblem() ?? folder?.problem() ?? null,
  };
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
