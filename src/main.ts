import { hostname } from 'node:os';
import { resolve } from 'node:path';
import {
  type ApiSource,
  type ApiVersion,
  type CompiledApi,
  compileApi,
  contractHash,
  createLiveContracts,
} from '@dateline/versions';
import type { Logger } from 'pino';
import { createEnvironmentHandler } from './compose/environment-handler.ts';
import { webhookTargetRules } from './compose/webhook-target-rules.ts';
import type { Config } from './config/load-config.ts';
import { apiSource, frozenVersions } from './contracts/api.ts';
import type { Environment, EnvironmentName } from './environments/environment.ts';
import {
  configuredUrls,
  forBoth,
  type OpenEnvironments,
  openEnvironments,
  type PerEnvironment,
} from './environments/open-environments.ts';
import { StartupError } from './errors/startup-error.ts';
import { keepHouse } from './housekeeping/keep-house.ts';
import { createEdgeErrorWriter } from './http/api/error-shapes.ts';
import { type Edge, refuseTakenPort, startEdge } from './http/edge/edge-server.ts';
import { createRequestIds } from './http/edge/request-ids.ts';
import { atMost } from './kernel/at-most.ts';
import { randomBase62 } from './kernel/base62.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import { prepareQuickstart, type QuickstartOutcome } from './quickstart/prepare-quickstart.ts';
import { quickstartPath } from './quickstart/quickstart-file.ts';
import { keepAnnouncing } from './releases/notices/keep-announcing.ts';
import { createReleaseDesk, type ReleaseDesk } from './releases/release-desk.ts';
import { createServedVersions, type ServedVersions } from './releases/served-versions.ts';
import { createVersionLife, type VersionLife } from './releases/version-life.ts';
import { openSecretBox } from './secrets/open-secret-box.ts';
import type { SecretBox } from './secrets/secret-box.ts';
import { secretKeyPath } from './secrets/secret-key-file.ts';
import { refuseIfHeld } from './storage/data-folder-lock.ts';
import type { Database } from './storage/database.ts';
import { migrate } from './storage/migrate.ts';
import { readMigrations } from './storage/migrations.ts';
import { createMetrics, type Metrics } from './telemetry/metrics.ts';
import { type MetricsText, ownMetricsText } from './telemetry/metrics-text.ts';
import { keepUsage, type UsageKeeper } from './usage/keep-usage.ts';
import { createUsageCounter, type UsageCounter } from './usage/usage-counter.ts';
import { startDeliveries } from './webhooks/deliveries/deliver.ts';
import { createSender } from './webhooks/sending/sender.ts';

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
  /** Others answer on the same ports, which are known: listen only when ready. */
  hasSiblings?: boolean;
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
    './releases/migrations/',
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
    const nodes = await forBoth((name) => createNode(name, { options, build, opened }));
    const edges = options.hasSiblings ? null : await forBoth((name) => openEdge(name, nodes[name]));
    const urls = edges
      ? { production: edges.production.url, sandbox: edges.sandbox.url }
      : configuredUrls(config);
    const environments = await open(urls, nodes, opened);
    const quickstart = options.alreadyPrepared ? null : await prepare(environments, options);
    const boxes = await openSecretBoxes(environments, config);
    await forBoth(async (name) => {
      await beginLife(nodes[name], environments[name]);
      await serve(nodes[name], {
        environment: environments[name],
        box: boxes[name],
        edge: edges?.[name] ?? null,
      });
      if (config.delivers) await deliver(nodes[name], environments[name], boxes[name]);
    });
    return { urls, quickstart, stop: () => closeAll(opened, config.shutdownMs) };
  } catch (error) {
    await closeAll(opened, 0);
    throw error;
  }
}

/** Delivers webhooks and serves nothing: a process of its own beside those that serve. */
export async function startWorker(options: ServiceOptions): Promise<Pick<Service, 'stop'>> {
  const { config } = options;
  const opened = createOpened();
  try {
    const nodes = await forBoth((name) => createNode(name, { options, build: readBuild(), opened }));
    const environments = await open(configuredUrls(config), nodes, opened);
    await migrateBoth(environments, options);
    const boxes = await openSecretBoxes(environments, config);
    await forBoth(async (name) => {
      await beginLife(nodes[name], environments[name]);
      await deliver(nodes[name], environments[name], boxes[name]);
    });
    return { stop: () => closeAll(opened, config.shutdownMs) };
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
    const nodes = await forBoth((name) => createNode(name, { options, build: readBuild(), opened }));
    return await prepare(await open(configuredUrls(options.config), nodes, opened), options);
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

/** What one environment has before its database is there. */
interface Node extends NodeParts {
  life: VersionLife;
  metrics: Metrics;
  counter: UsageCounter;
  log: Logger;
}

interface NodeParts {
  options: ServiceOptions;
  build: Build;
  opened: Opened;
}

const portSettings = { production: 'DATELINE_PORT', sandbox: 'DATELINE_SANDBOX_PORT' } as const;

function createNode(name: EnvironmentName, parts: NodeParts): Node {
  const { options, build } = parts;
  const life = createVersionLife({
    clock: options.clock ?? null,
    systemClock,
    createVersions,
    hashes: build.hashes,
  });
  return {
    ...parts,
    life,
    metrics: createMetrics(name),
    counter: createUsageCounter(life.clock),
    log: options.log.child({ environment: name }),
  };
}

async function openEdge(name: EnvironmentName, { options, opened, ...node }: Node): Promise<Edge> {
  const { config } = options;
  const edge = await startEdge({
    host: config.host,
    port: config[name].port,
    portSetting: portSettings[name],
    log: node.log,
    metrics: node.metrics,
    countUse: node.counter.count,
    requestIds: createRequestIds(config.trustedProxies),
    versions: node.life.versions,
    writeError: createEdgeErrorWriter(node.build.api),
  });
  opened.edges.push(edge);
  return edge;
}

/** From here on requests are answered. */
async function serve(
  node: Node,
  { environment, box, edge }: { environment: Environment; box: SecretBox; edge: Edge | null },
): Promise<void> {
  const { options, build, opened, life, metrics, log } = node;
  const stopLater = (stop: () => Promise<void>): void => void opened.followers.push(stop);
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
  const listening = edge ?? (await openEdge(environment.name, node));
  listening.open(handler, life.problem);
  stopLater(startHousekeeping(node, environment));
}

/** From here on webhooks are sent, and organizations are told of releases. */
async function deliver(node: Node, environment: Environment, box: SecretBox): Promise<void> {
  const { options, opened, life, metrics, log } = node;
  const sender = createSender({ rules: webhookTargetRules(options.config, environment.name) });
  const deliveries = await startDeliveries({
    environment,
    box,
    sender,
    deprecationOf: life.versions.deprecationOf,
    worker: `${hostname()} ${process.pid} ${randomBase62(8)}`,
    onAttempt(result) {
      metrics.observeAttempt(result);
      const { eventId, endpointId, error } = result.attempt;
      if (result.state === 'exhausted')
        log.warn({ event: eventId, endpoint: endpointId, error }, 'event exhausted: no attempt is left');
    },
    onUnrendered: ({ id, type, apiVersion }, error) =>
      log.error(
        { event: id, type, version: apiVersion, internal: String(error) },
        'event cannot be rendered',
      ),
    onTrouble: (error) => log.warn({ internal: String(error) }, 'deliveries interrupted'),
  });
  opened.deliveries.push(async (limitMs) => {
    await deliveries.stop(limitMs);
    sender.close();
  });
  opened.followers.push(
    keepAnnouncing({
      scene: environment,
      state: () => ({ lifecycle: life.versions.lifecycle(), ledger: life.versions.ledger() }),
      onTrouble: (error) => log.warn({ internal: String(error) }, 'releases not announced yet'),
    }),
  );
}

/** From here on versions move as the ledger says, by the database's time. */
async function beginLife({ life, log, opened }: Node, { database }: Environment): Promise<void> {
  const stop = await life.begin(database, {
    onTrouble: (error) => log.warn({ internal: String(error) }, 'ledger not read'),
    onOverdue: ({ version, dueAt }) =>
      log.warn(
        { version, due_at: dueAt.toISOString() },
        'release overdue: deploy a build that has frozen this version, or decide with "dateline release"',
      ),
  });
  opened.followers.push(stop);
  const problem = life.problem();
  if (problem !== null) throw new StartupError(problem);
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

function startHousekeeping({ options, metrics, log }: Node, environment: Environment): () => Promise<void> {
  return keepHouse({
    scene: environment,
    ...(options.housekeepingMs === undefined ? {} : { roundMs: options.housekeepingMs }),
    onRemoved: metrics.countRemoved,
    onTrouble: (chore, error) => log.warn({ chore, internal: String(error) }, 'housekeeping failed'),
  });
}

function deskOf({ name }: Environment, { build }: Node): ReleaseDesk {
  return createReleaseDesk({
    frozen: frozenVersions(),
    held: new Set(build.hashes.keys()),
    rehearsals: name === 'sandbox',
    windowed: name === 'production',
    contractSha256: (version) => build.hashes.get(version) ?? '',
  });
}

/** By the database's time, like its versions: a node whose own clock is wrong must not end what lives. */
async function open(
  urls: PerEnvironment<string>,
  nodes: PerEnvironment<Node>,
  opened: Opened,
): Promise<OpenEnvironments> {
  const { config, log, say, abort, openDatabase } = nodes.production.options;
  opened.environments = await openEnvironments({
    config,
    clocks: await forBoth((name) => nodes[name].life.clock),
    urls,
    contracts: await forBoth((name) => createLiveContracts(nodes[name].build.api, nodes[name].life.versions)),
    openDatabase,
    say,
    abort,
    onTrouble: (environment, error) =>
      log.warn({ environment, internal: error.message }, 'database connection lost'),
  });
  return opened.environments;
}

async function migrateBoth(
  environments: PerEnvironment<Environment>,
  { say }: ServiceOptions,
): Promise<void> {
  await forBoth(async (name) => {
    const applied = await migrate(environments[name].database, migrations);
    if (applied.length > 0) say(`Migrated ${name}: ${applied.map((migration) => migration.name).join(', ')}`);
  });
}

async function prepare(
  environments: PerEnvironment<Environment>,
  options: ServiceOptions,
): Promise<PreparedQuickstart> {
  const { config } = options;
  await migrateBoth(environments, options);
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
  deliveries: ((limitMs: number) => Promise<void>)[];
  followers: (() => Promise<void>)[];
  environments: OpenEnvironments | null;
}

function createOpened(): Opened {
  return { edges: [], deliveries: [], followers: [], environments: null };
}

// A statement that hangs must not keep a process from ending.
const LAST_WORK_LIMIT_MS = 3_000;

async function closeAll(opened: Opened, drainLimitMs: number): Promise<void> {
  const { edges, deliveries, followers, environments } = opened;
  await Promise.allSettled([
    ...edges.map((edge) => edge.drain(drainLimitMs)),
    ...deliveries.map((stop) => stop(drainLimitMs)),
  ]);
  await atMost(LAST_WORK_LIMIT_MS, Promise.allSettled(followers.map((stop) => stop())));
  await environments?.close();
}
