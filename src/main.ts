import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Config, listenUrl } from './config/load-config.ts';
import { apiSource, frozenVersions } from './contracts/api.ts';
import { createEnvironment, type Environment, type EnvironmentName } from './environments/environment.ts';
import { StartupError } from './errors/startup-error.ts';
import { createAccountApp } from './http/account-app.ts';
import { createOperatorFinder } from './http/authenticate-operator.ts';
import { createDispatch } from './http/dispatch.ts';
import { type Edge, type RequestHandler, refuseTakenPort, startEdge } from './http/edge-server.ts';
import { createMetrics, type Metrics } from './http/metrics.ts';
import { type MetricsText, ownMetricsText } from './http/metrics-text.ts';
import { bulkTokenHandlers } from './http/operations/bulk-tokens.ts';
import { grantHandlers } from './http/operations/grants.ts';
import { leakHandlers } from './http/operations/leaks.ts';
import { oauthHandlers } from './http/operations/oauth.ts';
import { organizationHandlers } from './http/operations/organizations.ts';
import { productHandlers } from './http/operations/products.ts';
import { registrationHandlers } from './http/operations/registration.ts';
import { tokenHandlers } from './http/operations/token.ts';
import { userinfoHandlers } from './http/operations/userinfo.ts';
import { createOperatorApp } from './http/operator-app.ts';
import { createRequestIds } from './http/request-ids.ts';
import { createServiceApp } from './http/service-app.ts';
import { createVersionApp, type OperationHandlers } from './http/version-app.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import { createClientThrottle } from './oauth/admit-client.ts';
import { createClientAuthenticator } from './oauth/authenticate-client.ts';
import { createClientGate } from './oauth/client-gate.ts';
import { createSecretUse } from './oauth/clients/secret-use.ts';
import { keepHouse } from './oauth/housekeeping/keep-house.ts';
import { createTokenIntrospector } from './oauth/introspect-token.ts';
import { createBatchIntrospector } from './oauth/introspect-tokens.ts';
import { createTokenRevoker } from './oauth/revoke-token.ts';
import { createIdTokenSigner } from './oauth/signing/id-token.ts';
import { signingKeyHolder } from './oauth/signing/make-signing-key.ts';
import { createSigningKeys, type SigningKeys } from './oauth/signing/signing-keys.ts';
import { createTokenVerifier } from './oauth/verify-token.ts';
import { prepareQuickstart, type QuickstartOutcome } from './quickstart/prepare-quickstart.ts';
import { quickstartPath } from './quickstart/quickstart-file.ts';
import { openSecretBox } from './secrets/open-secret-box.ts';
import type { SecretBox } from './secrets/secret-box.ts';
import { secretKeyPath } from './secrets/secret-key-file.ts';
import { openDataFolder } from './storage/data-folder.ts';
import { type DataFolderLock, refuseIfHeld } from './storage/data-folder-lock.ts';
import type { Database } from './storage/database.ts';
import { migrate } from './storage/migrate.ts';
import { readMigrations } from './storage/migrations.ts';
import { openDatabase } from './storage/open-database.ts';
import { keepUsage, type UsageKeeper } from './usage/keep-usage.ts';
import { createUsageCounter, type UsageCounter } from './usage/usage-counter.ts';
import type { ApiVersion } from './versions/api-version.ts';
import { buildProblem } from './versions/build-problem.ts';
import { contractHash } from './versions/canonical.ts';
import { type ApiSource, type CompiledApi, compileApi } from './versions/compile-api.ts';
import { createDatabaseClock } from './versions/database-clock.ts';
import { followLedger } from './versions/follow-ledger.ts';
import { createOverdueAlarm } from './versions/overdue-alarm.ts';
import { createReleaseDesk, type ReleaseDesk } from './versions/release-desk.ts';
import { type ReleaseNotes, releaseNotes } from './versions/release-notes.ts';
import { createServedVersions, type ServedVersions } from './versions/served-versions.ts';

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

export type PerEnvironment<Thing> = Readonly<Record<EnvironmentName, Thing>>;

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
  const source = apiSource();
  const api = compileApi(source);
  const hashes = contractHashes(api);
  const lives = await forBoth(async () => createVersionLife(options));
  const opened = createOpened();
  try {
    if (config.databaseUrl === null) refuseIfHeld(config.dataDir);
    const metrics = await forBoth(async (name) => createMetrics(name));
    const counters = await forBoth(async () => createUsageCounter(options.clock ?? systemClock));
    const parts = await forBoth(async (name) => ({
      options,
      metrics: metrics[name],
      life: lives[name],
      counter: counters[name],
    }));
    const edges = await forBoth((name) => startEdgeOf(name, { ...parts[name], opened }));
    const urls = { production: edges.production.url, sandbox: edges.sandbox.url };
    const environments = await openEnvironments(issuers(config, urls), options, opened);
    const quickstart = options.alreadyPrepared ? null : await prepare(environments, options);
    const boxes = await openSecretBoxes(environments, config);
    await forBoth(async (name) => {
      await bringToLife(lives[name], environments[name], { options, hashes, opened });
      const usage = startUsage(environments[name], { options, counter: counters[name], opened });
      const own = { ...parts[name], usage, box: boxes[name], opened };
      const handler = await handlerOf(environments[name], { ...own, source, api, hashes });
      edges[name].open(handler, () => problemOf(lives[name], hashes));
      opened.followers.push(startHousekeeping(environments[name], parts[name]));
    });
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
  const { config } = options;
  const opened = createOpened();
  const urls = {
    production: listenUrl(config.host, config.production.port),
    sandbox: listenUrl(config.host, config.sandbox.port),
  };
  try {
    return await prepare(await openEnvironments(issuers(config, urls), options, opened), options);
  } finally {
    await closeAll(opened, 0);
  }
}

/** One environment's versions, and the clock they follow: the database's as soon as there is one. */
interface VersionLife {
  clock: Clock;
  versions: ServedVersions;
  follow(clock: Clock): void;
}

function createVersionLife({ clock = systemClock }: ServiceOptions): VersionLife {
  let followed = clock;
  const own: Clock = { now: () => followed.now() };
  return {
    clock: own,
    versions: createVersions(own),
    follow(other) {
      followed = other;
    },
  };
}

/** From here on versions move as the ledger says, by the database's time. */
async function bringToLife(
  life: VersionLife,
  { name, database }: Environment,
  { options, hashes, opened }: { options: ServiceOptions; hashes: ContractHashes; opened: Opened },
): Promise<void> {
  const databaseClock = options.clock ? null : await createDatabaseClock(database);
  if (databaseClock) life.follow(databaseClock);
  const stop = await followLedger({
    database,
    versions: life.versions,
    adjustClock: async () => databaseClock?.adjust(),
    onTrouble: (error) => options.log.warn({ environment: name, internal: String(error) }, 'ledger not read'),
    onLook: createOverdueAlarm(life.versions, life.clock, ({ version, dueAt }) =>
      options.log.warn(
        { environment: name, version, due_at: dueAt.toISOString() },
        'release overdue: deploy a build that has frozen this version, or decide with "dateline release"',
      ),
    ),
  });
  opened.followers.push(stop);
  const problem = problemOf(life, hashes);
  if (problem) throw new StartupError(problem);
}

/** From here on the counts of this node reach the database, the last ones when it stops. */
function startUsage(
  environment: Environment,
  { options, counter, opened }: { options: ServiceOptions; counter: UsageCounter; opened: Opened },
): UsageKeeper {
  const log = options.log.child({ environment: environment.name });
  const usage = keepUsage({
    environment,
    counter,
    onDelay: (error) => log.warn({ internal: String(error) }, 'usage not stored yet; it is tried again'),
    onLoss: (requests) => log.warn({ requests }, 'requests that will be missing from usage'),
  });
  opened.followers.push(usage.stop);
  return usage;
}

/** By the database's time: a node whose clock is wrong must not remove what lives. */
function startHousekeeping(
  environment: Environment,
  { options, metrics, life }: EdgeParts,
): () => Promise<void> {
  return keepHouse({
    scene: { ...environment, clock: life.clock },
    ...(options.housekeepingMs === undefined ? {} : { roundMs: options.housekeepingMs }),
    onRemoved: metrics.countRemoved,
    onTrouble: (chore, error) =>
      options.log.warn(
        { environment: environment.name, chore, internal: String(error) },
        'housekeeping failed',
      ),
  });
}

/** Why this build must not serve what is decided by now. */
function problemOf({ versions }: VersionLife, hashes: ContractHashes): string | null {
  return buildProblem(versions.lifecycle(), versions.ledger(), hashes);
}

type ContractHashes = ReadonlyMap<ApiVersion, string>;

function contractHashes(api: CompiledApi): ContractHashes {
  return new Map([...api.values()].map(({ version, document }) => [version, contractHash(document)]));
}

interface Opened {
  edges: Edge[];
  followers: (() => Promise<void>)[];
  databases: Database[];
  dataFolder: DataFolderLock | null;
}

function createOpened(): Opened {
  return { edges: [], followers: [], databases: [], dataFolder: null };
}

// A statement that hangs must not keep a process from ending.
const LAST_WORK_LIMIT_MS = 3_000;
const CLOSE_LIMIT_MS = 5_000;

async function closeAll(opened: Opened, drainLimitMs: number): Promise<void> {
  const { edges, followers, databases, dataFolder } = opened;
  try {
    await Promise.allSettled(edges.map((edge) => edge.drain(drainLimitMs)));
    await atMost(LAST_WORK_LIMIT_MS, Promise.allSettled(followers.map((stop) => stop())));
    await atMost(CLOSE_LIMIT_MS, Promise.allSettled(databases.map((database) => database.close())));
  } finally {
    dataFolder?.release();
  }
}

async function atMost(limitMs: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, delay(limitMs, undefined, { ref: false })]);
}

const portSettings = { production: 'DATELINE_PORT', sandbox: 'DATELINE_SANDBOX_PORT' } as const;

interface EdgeParts {
  options: ServiceOptions;
  metrics: Metrics;
  life: VersionLife;
  counter: UsageCounter;
}

async function startEdgeOf(name: EnvironmentName, parts: EdgeParts & { opened: Opened }): Promise<Edge> {
  const { config, log } = parts.options;
  const edge = await startEdge({
    host: config.host,
    port: config[name].port,
    portSetting: portSettings[name],
    log: log.child({ environment: name }),
    metrics: parts.metrics,
    countUse: parts.counter.count,
    requestIds: createRequestIds(config.trustedProxies),
    versions: parts.life.versions,
  });
  parts.opened.edges.push(edge);
  return edge;
}

async function openEnvironments(
  issuer: PerEnvironment<string>,
  options: ServiceOptions,
  opened: Opened,
): Promise<PerEnvironment<Environment>> {
  const { config, log, say, clock = systemClock } = options;
  const fromSettings = (name: EnvironmentName): Promise<Database> =>
    openDatabase({
      environment: name,
      databaseUrl: config.databaseUrl,
      dataDir: config.dataDir,
      poolMax: config.databasePoolMax,
      onTrouble: (error) =>
        log.warn({ environment: name, internal: error.message }, 'database connection lost'),
    });
  if (config.databaseUrl === null) {
    const onLost = (): void =>
      options.abort(`The data folder ${config.dataDir} was taken over by another process.`);
    opened.dataFolder = await openDataFolder(config.dataDir, { onLost, say });
    say(`Opening the embedded databases in ${config.dataDir}`);
  }
  return forBoth(async (name) => {
    const database = await (options.openDatabase ?? fromSettings)(name);
    opened.databases.push(database);
    return createEnvironment({ name, issuer: issuer[name], database, clock, lifetimes: config.lifetimes });
  });
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

interface HandlerParts {
  usage: UsageKeeper;
  box: SecretBox;
  source: ApiSource;
  api: CompiledApi;
  hashes: ContractHashes;
  opened: Opened;
}

async function handlerOf(
  environment: Environment,
  { options, metrics, life, usage, box, source, api, hashes, opened }: EdgeParts & HandlerParts,
): Promise<RequestHandler> {
  const { config } = options;
  const { versions } = life;
  const settings = { trustedProxies: config.trustedProxies, requestMs: config.requestMs };
  metrics.watchPool(() => environment.database.poolUse());
  metrics.watchRelease(versions.lifecycle);
  const verifyToken = createTokenVerifier(environment, metrics.batchObserver('verify_token'));
  const metricsText = options.metricsText?.(environment.name, metrics) ?? ownMetricsText(metrics);
  const signingKeys = createSigningKeys(box);
  const notes = (version: ApiVersion): ReleaseNotes => releaseNotes(version, source.changeSets);
  const handlers = {
    ...organizationHandlers,
    ...productHandlers,
    ...grantHandlers,
    ...oauthHandlersOf(environment, { options, metrics, opened, signingKeys }),
    ...registrationHandlers({
      clock: environment.clock,
      findOperator: createOperatorFinder(environment, config[environment.name].operatorKey),
    }),
    ...userinfoHandlers,
  };
  return createDispatch({
    versions: new Map(
      [...api.values()].map((version) => [
        version.version,
        createVersionApp({ version, handlers, environment, verifyToken, settings }),
      ]),
    ),
    account: createAccountApp({ environment, settings }),
    operator: createOperatorApp({
      environment,
      configuredKey: config[environment.name].operatorKey,
      desk: deskOf(environment, life, hashes),
      versions,
      usage,
      secrets: { box, holders: [signingKeyHolder] },
      signingKeys,
      settings,
    }),
    service: createServiceApp({
      environment,
      versions,
      api,
      releaseNotes: notes,
      metricsText,
      signingKeys,
      settings,
    }),
  });
}

function oauthHandlersOf(
  environment: Environment,
  {
    options,
    metrics,
    opened,
    signingKeys,
  }: Pick<EdgeParts & HandlerParts, 'options' | 'metrics' | 'opened'> & { signingKeys: SigningKeys },
): OperationHandlers {
  const { note: noteUse, stop } = createSecretUse({
    scene: environment,
    onTrouble: (error) =>
      options.log.warn(
        { environment: environment.name, internal: String(error) },
        'use of secrets not noted',
      ),
  });
  opened.followers.push(stop);
  const admission = { throttle: createClientThrottle(environment.clock), noteUse };
  const gate = createClientGate(environment, admission, metrics.batchObserver('look_up'));
  const oauth = oauthHandlers({
    issuer: environment.issuer,
    introspectToken: createTokenIntrospector(gate, environment.clock),
    revokeToken: createTokenRevoker(environment, gate, metrics.batchObserver('revoke')),
  });
  const bulk = bulkTokenHandlers({
    issuer: environment.issuer,
    gate,
    introspectTokens: createBatchIntrospector(environment, admission),
  });
  const token = tokenHandlers(
    createClientAuthenticator(environment, admission),
    createIdTokenSigner(signingKeys),
  );
  return { ...oauth, ...token, ...bulk, ...leakHandlers(environment.clock) };
}

function deskOf(
  { name, database }: Environment,
  { clock }: VersionLife,
  hashes: ContractHashes,
): ReleaseDesk {
  return createReleaseDesk(database, clock, {
    frozen: frozenVersions(),
    held: new Set(hashes.keys()),
    rehearsals: name === 'sandbox',
    windowed: name === 'production',
    contractSha256: (version) => hashes.get(version) ?? '',
  });
}

function issuers({ production, sandbox }: Config, listening: PerEnvironment<string>): PerEnvironment<string> {
  return {
    production: production.publicUrl ?? listening.production,
    sandbox: sandbox.publicUrl ?? listening.sandbox,
  };
}

async function forBoth<Thing>(
  make: (name: EnvironmentName) => Promise<Thing>,
): Promise<PerEnvironment<Thing>> {
  return { production: await make('production'), sandbox: await make('sandbox') };
}
