import { resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config/load-config.ts';
import { apiSource, frozenVersions } from './contracts/api.ts';
import type { Environment, EnvironmentName } from './environments/environment.ts';
import {
  configuredUrls,
  forBoth,
  type OpenEnvironments,
  type OpenOptions,
  openEnvironments,
  type PerEnvironment,
} from './environments/open-environments.ts';
import { StartupError } from './errors/startup-error.ts';
import { type Edge, refuseTakenPort, startEdge } from './http/edge-server.ts';
import { createEnvironmentHandler } from './http/environment-handler.ts';
import { createMetrics, type Metrics } from './http/metrics.ts';
import { type MetricsText, ownMetricsText } from './http/metrics-text.ts';
import { createRequestIds } from './http/request-ids.ts';
import { atMost } from './kernel/at-most.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import { keepHouse } from './oauth/housekeeping/keep-house.ts';
import { prepareQuickstart, type QuickstartOutcome } from './quickstart/prepare-quickstart.ts';
import { quickstartPath } from './quickstart/quickstart-file.ts';
import { openSecretBox } from './secrets/open-secret-box.ts';
import type { SecretBox } from './secrets/secret-box.ts';
import { secretKeyPath } from './secrets/secret-key-file.ts';
import { refuseIfHeld } from './storage/data-folder-lock.ts';
import type { Database } from './storage/database.ts';
import { migrate } from './storage/migrate.ts';
import { readMigrations } from './storage/migrations.ts';
import { keepUsage, type UsageKeeper } from './usage/keep-usage.ts';
import { createUsageCounter, type UsageCounter } from './usage/usage-counter.ts';
import type { ApiVersion } from './versions/api-version.ts';
import { contractHash } from './versions/canonical.ts';
import { type ApiSource, type CompiledApi, compileApi } from './versions/compile-api.ts';
import { createLiveContracts } from './versions/live-contracts.ts';
import { createReleaseDesk, type ReleaseDesk } from './versions/release-desk.ts';
import { createServedVersions, type ServedVersions } from './versions/served-versions.ts';
import { createVersionLife, type VersionLife } from './versions/version-life.ts';

export interface ServiceOptions {
  config: Config;
  log: Logger;
  /** Told what is being done when that may take more than a second. */
  say(sentence: string): void;
  clock?: Clock;
  /** The process must end at once: another one has taken its place. */
  abort(reason: string): void;
  /** How to open an environment's database; by default as the settings say. */
  openDatabase?(environment: EnvironmentName): Promise<Database>;
  /** Workers of one service answer `/metrics` for all of them; a single process answers for itself. */
  metricsText?(environment: EnvironmentName, own: Metrics): MetricsText;
  /** Another process has migrated and seeded the databases. */
  alreadyPrepared?: boolean;
  /** How often old rows leave; by default about once a minute. */
  housekeepingMs?: number;
}

export interface Service {
  /** Where each environment listens. */
  readonly urls: PerEnvironment<string>;
  readonly quickstart: PreparedQuickstart | null;
  /** Finishes what is in flight, then closes the databases. */
  stop(): Promise<void>;
}

export interface PreparedQuickstart {
  path: string;
  outcome: QuickstartOutcome;
}

/** Every room's migrations; their numbers give the order. */
export const migrations = readMigrations(
  [
    './identity/migrations/',
    './oauth/migrations/',
    './quickstart/migrations/',
    './products/migrations/',
    './versions/migrations/',
    './idempotency/migrations/',
    './audit/migrations/',
    './webhooks/migrations/',
    './usage/migrations/',
    './secrets/migrations/',
  ].map((folder) => new URL(folder, import.meta.url)),
);

export function createVersions(clock: Clock): ServedVersions {
  const versions = createServedVersions(frozenVersions(), clock);
  if (versions) return versions;
  throw new StartupError(
    `The clock of this machine says ${clock.now().toISOString()}, when no API version was released yet; set the clock.`,
  );
}

/** Starts both environments. The ports are taken before anything is written; they answer 503 until all is ready. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config } = options;
  const build = readBuild();
  const opened = createOpened();
  try {
    if (config.databaseUrl === null) refuseIfHeld(config.dataDir);
    const nodes = await forBoth((name) => startNode(name, { options, build, opened }));
    const urls = { production: nodes.production.edge.url, sandbox: nodes.sandbox.edge.url };
    const contracts = await forBoth((name) => createLiveContracts(build.api, nodes[name].life.versions));
    const environments = await open({ urls, contracts }, options, opened);
    const quickstart = options.alreadyPrepared ? null : await prepare(environments, options);
    const boxes = await openSecretBoxes(environments, config);
    await forBoth((name) => serve(nodes[name], environments[name], boxes[name]));
    return { urls, quickstart, stop: () => closeAll(opened, config.shutdownMs) };
  } catch (error) {
    await closeAll(opened, 0);
    throw error;
  }
}

/** Says what `startService` would say about a port that cannot be had, before anything else is done. */
export async function refuseTakenPorts({ host, production, sandbox }: Config): Promise<void> {
  await refuseTakenPort({ host, port: production.port, portSetting: portSettings.production });
  await refuseTakenPort({ host, port: sandbox.port, portSetting: portSettings.sandbox });
}

/** Migrates and seeds without serving: what the first process of several does before it starts the others. */
export async function prepareService(options: ServiceOptions): Promise<PreparedQuickstart> {
  const opened = createOpened();
  try {
    const urls = configuredUrls(options.config);
    const versions = createVersions(options.clock ?? systemClock);
    const contracts = await forBoth(() => createLiveContracts(readBuild().api, versions));
    return await prepare(await open({ urls, contracts }, options, opened), options);
  } finally {
    await closeAll(opened, 0);
  }
}

/** What this build holds, the same for both environments. */
interface Build {
  source: ApiSource;
  api: CompiledApi;
  hashes: ReadonlyMap<ApiVersion, string>;
}

function readBuild(): Build {
  const source = apiSource();
  const api = compileApi(source);
  const hashes = [...api.values()].map(({ version, document }) => [version, contractHash(document)] as const);
  return { source, api, hashes: new Map(hashes) };
}

/** What one environment has before its database is there: a port that says so. */
interface Node extends NodeParts {
  life: VersionLife;
  metrics: Metrics;
  counter: UsageCounter;
  edge: Edge;
  log: Logger;
}

interface NodeParts {
  options: ServiceOptions;
  build: Build;
  opened: Opened;
}

const portSettings = { production: 'DATELINE_PORT', sandbox: 'DATELINE_SANDBOX_PORT' } as const;

async function startNode(name: EnvironmentName, parts: NodeParts): Promise<Node> {
  const { options, build, opened } = parts;
  const { config, clock = null } = options;
  const log = options.log.child({ environment: name });
  const life = createVersionLife({ clock, systemClock, createVersions, hashes: build.hashes });
  const metrics = createMetrics(name);
  const counter = createUsageCounter(clock ?? systemClock);
  const edge = await startEdge({
    host: config.host,
    port: config[name].port,
    portSetting: portSettings[name],
    log,
    metrics,
    countUse: counter.count,
    requestIds: createRequestIds(config.trustedProxies),
    versions: life.versions,
  });
  opened.edges.push(edge);
  return { ...parts, life, metrics, counter, edge, log };
}

/** From here on requests are answered. */
async function serve(node: Node, environment: Environment, box: SecretBox): Promise<void> {
  const { options, build, opened, life, metrics, edge, log } = node;
  const stopLater = (stop: () => Promise<void>): void => void opened.followers.push(stop);
  stopLater(await beginLife(node, environment));
  const usage = startUsage(node, environment);
  stopLater(usage.stop);
  const handler = await createEnvironmentHandler({
    environment,
    config: options.config,
    log,
    metrics,
    metricsText: options.metricsText?.(environment.name, metrics) ?? ownMetricsText(metrics),
    versions: life.versions,
    desk: deskOf(environment, node),
    source: build.source,
    api: build.api,
    usage,
    box,
    stopLater,
  });
  edge.open(handler, life.problem);
  stopLater(startHousekeeping(node, environment));
}

async function beginLife({ life, log }: Node, { database }: Environment): Promise<() => Promise<void>> {
  const stop = await life.begin(database, {
    onTrouble: (error) => log.warn({ internal: String(error) }, 'ledger not read'),
    onOverdue: ({ version, dueAt }) =>
      log.warn(
        { version, due_at: dueAt.toISOString() },
        'release overdue: deploy a build that has frozen this version, or decide with "dateline release"',
      ),
  });
  const problem = life.problem();
  if (problem === null) return stop;
  await stop();
  throw new StartupError(problem);
}

/** From here on the counts of this node reach the database, the last ones when it stops. */
function startUsage({ counter, log }: Node, environment: Environment): UsageKeeper {
  return keepUsage({
    environment,
    counter,
    onDelay: (error) => log.warn({ internal: String(error) }, 'usage not stored yet; it is tried again'),
    onLoss: (requests) => log.warn({ requests }, 'requests that will be missing from usage'),
  });
}

/** By the database's time: a node whose clock is wrong must not remove what lives. */
function startHousekeeping(
  { options, life, metrics, log }: Node,
  environment: Environment,
): () => Promise<void> {
  return keepHouse({
    scene: { ...environment, clock: life.clock },
    ...(options.housekeepingMs === undefined ? {} : { roundMs: options.housekeepingMs }),
    onRemoved: metrics.countRemoved,
    onTrouble: (chore, error) => log.warn({ chore, internal: String(error) }, 'housekeeping failed'),
  });
}

function deskOf({ name, database }: Environment, { life, build }: Node): ReleaseDesk {
  return createReleaseDesk(database, life.clock, {
    frozen: frozenVersions(),
    held: new Set(build.hashes.keys()),
    rehearsals: name === 'sandbox',
    windowed: name === 'production',
    contractSha256: (version) => build.hashes.get(version) ?? '',
  });
}

async function open(
  places: Pick<OpenOptions, 'urls' | 'contracts'>,
  { config, log, say, abort, clock = systemClock, openDatabase }: ServiceOptions,
  opened: Opened,
): Promise<OpenEnvironments> {
  const onTrouble = (environment: EnvironmentName, error: Error): void =>
    log.warn({ environment, internal: error.message }, 'database connection lost');
  opened.environments = await openEnvironments({
    ...places,
    config,
    clock,
    openDatabase,
    say,
    abort,
    onTrouble,
  });
  return opened.environments;
}

async function prepare(
  environments: PerEnvironment<Environment>,
  { config, say }: ServiceOptions,
): Promise<PreparedQuickstart> {
  await forBoth(async (name) => {
    const applied = await migrate(environments[name].database, migrations);
    if (applied.length > 0) say(`Migrated ${name}: ${applied.map((migration) => migration.name).join(', ')}`);
  });
  // Before anything else is stored: a node with another key is refused.
  await openSecretBoxes(environments, config);
  const path = resolve(quickstartPath(config.dataDir));
  return { path, outcome: await prepareQuickstart({ ...environments, path }) };
}

async function openSecretBoxes(
  environments: PerEnvironment<Environment>,
  { secretKeys, dataDir }: Config,
): Promise<PerEnvironment<SecretBox>> {
  const source = { configured: secretKeys, path: resolve(secretKeyPath(dataDir)) };
  return forBoth((name) => openSecretBox(environments[name], source));
}

/** What has to be closed, in this order. */
interface Opened {
  edges: Edge[];
  followers: (() => Promise<void>)[];
  environments: OpenEnvironments | null;
}

function createOpened(): Opened {
  return { edges: [], followers: [], environments: null };
}

// A statement that hangs must not keep a process from ending.
const LAST_WORK_LIMIT_MS = 3_000;

async function closeAll({ edges, followers, environments }: Opened, drainLimitMs: number): Promise<void> {
  await Promise.allSettled(edges.map((edge) => edge.drain(drainLimitMs)));
  await atMost(LAST_WORK_LIMIT_MS, Promise.allSettled(followers.map((stop) => stop())));
  await environments?.close();
}
