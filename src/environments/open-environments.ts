import type { LiveContracts } from '@dateline/versions';
import { type Config, listenUrl } from '../config/load-config.ts';
import type { Clock } from '../kernel/clock.ts';
import { atMost } from '../kernel/wait.ts';
import { openLinks } from '../standbys/open-links.ts';
import { openDataFolder } from '../storage/data-folder.ts';
import type { DataFolderLock } from '../storage/data-folder-lock.ts';
import type { Database } from '../storage/database.ts';
import { databaseOpener, schemaOf } from '../storage/open-database.ts';
import { createEnvironment, type Environment, type EnvironmentName } from './environment.ts';
import type { KnownScopes } from './known-scopes.ts';

export type PerEnvironment<Thing> = Readonly<Record<EnvironmentName, Thing>>;

/** Calls `make` for one environment after the other, production first. */
export async function forBoth<Thing>(
  make: (name: EnvironmentName) => Promise<Thing> | Thing,
): Promise<PerEnvironment<Thing>> {
  return { production: await make('production'), sandbox: await make('sandbox') };
}

export interface OpenOptions {
  config: Config;
  partsOf(environment: EnvironmentName): EnvironmentParts;
  scopes: KnownScopes;
  /** Opens a database; by default as the settings say. */
  openDatabase?: ((environment: EnvironmentName) => Promise<Database>) | undefined;
  say(sentence: string): void;
  /** The data folder was taken over: the process must end at once. */
  abort(reason: string): void;
  onError(environment: EnvironmentName, error: Error): void;
}

export interface EnvironmentParts {
  clock: Clock;
  /** The address of the environment unless the settings name another. */
  url: string;
  contracts: LiveContracts;
}

export interface OpenEnvironments extends PerEnvironment<Environment> {
  close(): Promise<void>;
}

// A statement that hangs must not keep a process from ending.
const CLOSE_LIMIT_MS = 5_000;

/** Opens the databases of both environments. What cannot be opened whole is closed again. */
export async function openEnvironments(options: OpenOptions): Promise<OpenEnvironments> {
  const { config, partsOf, scopes } = options;
  const databases: Database[] = [];
  const openDatabase =
    options.openDatabase ??
    databaseOpener<EnvironmentName>({
      databaseUrl: config.databaseUrl,
      directUrl: config.databaseDirectUrl,
      dataDir: config.dataDir,
      poolMax: config.databasePoolMax,
      onError: options.onError,
    });
  const folder = await openFolder(options);
  async function close(): Promise<void> {
    await atMost(CLOSE_LIMIT_MS, Promise.allSettled(databases.map((database) => database.close())));
    folder?.release();
  }
  try {
    const environments = await forBoth(async (name) => {
      const database = await openDatabase(name);
      databases.push(database);
      const { url, ...parts } = partsOf(name);
      const issuer = config[name].publicUrl ?? url;
      const standbyLinks = await linksOf(config, name);
      const { lifetimes } = config;
      return createEnvironment({ name, issuer, database, standbyLinks, lifetimes, scopes, ...parts });
    });
    return { ...environments, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The addresses of the settings, for processes that do not listen. */
export function configuredUrls({ host, production, sandbox }: Config): PerEnvironment<string> {
  return { production: listenUrl(host, production.port), sandbox: listenUrl(host, sandbox.port) };
}

/** The same of operators; null where they are served with everybody else. */
export function configuredOperatorUrls(config: Config): PerEnvironment<string | null> {
  const urlOf = (port: number | null): string | null => (port === null ? null : listenUrl(config.host, port));
  return { production: urlOf(config.production.operatorPort), sandbox: urlOf(config.sandbox.operatorPort) };
}

/** Not connected yet: that is for who keeps their leases. */
function linksOf({ databaseReadUrls }: Config, name: EnvironmentName) {
  return openLinks({ urls: databaseReadUrls, schema: schemaOf(name) });
}

async function openFolder({ config, say, abort }: OpenOptions): Promise<DataFolderLock | null> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl !== null) return null;
  const onLost = (): void => abort(`The data folder ${dataDir} was taken over by another process.`);
  const folder = await openDataFolder(dataDir, { onLost, say });
  say(`Opening the embedded database in ${dataDir}`);
  return folder;
}
