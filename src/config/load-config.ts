import { StartupError } from '../errors/startup-error.ts';
import { errorMessage } from '../kernel/error-facts.ts';
import type { Brand } from './brand.ts';
import { namesSecretFile, type SecretFile, secretFilesIn, withSecretFiles } from './secret-files.ts';
import {
  type ProcessEnv,
  type Setting,
  type SettingName,
  type Settings,
  settingNames,
  settings,
} from './settings.ts';

export interface EnvironmentConfig {
  readonly port: number;
  /** Where operators are served apart from everybody else; null where they are not. */
  readonly operatorPort: number | null;
  readonly publicUrl: string | null;
  readonly operatorKey: string | null;
}

export interface Lifetimes {
  readonly accessTokenSeconds: number;
  readonly refreshTokenIdleSeconds: number;
  readonly refreshTokenAbsoluteSeconds: number;
  /** Time in which a used refresh token may still arrive late, after its successor was used too. */
  readonly rotationGraceSeconds: number;
  readonly codeSeconds: number;
  readonly signInIdleSeconds: number;
  readonly signInAbsoluteSeconds: number;
  readonly webhookRetentionDays: number;
}

export interface Config {
  readonly host: string;
  readonly production: EnvironmentConfig;
  readonly sandbox: EnvironmentConfig;
  /** Where a worker answers probes; null where it does not. */
  readonly workerPort: number | null;
  /** The folder of the operator's own API; null where there is none. */
  readonly apiFolder: string | null;
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  /** Past a pooler, for what must have a session; null where `databaseUrl` serves for that too. */
  readonly databaseDirectUrl: string | null;
  /** Standbys that may be read from. */
  readonly databaseReadUrls: readonly string[];
  readonly databasePoolMax: number;
  /** None: the data folder has the key. */
  readonly secretKeys: readonly Buffer[];
  readonly trustedProxies: readonly string[];
  /** Where webhooks may be sent to. */
  readonly webhookPorts: readonly number[];
  readonly webhookEndpointsMax: number;
  readonly lifetimes: Lifetimes;
  /** True if a process that serves delivers webhooks too. */
  readonly delivers: boolean;
  readonly requestMs: number;
  /** Time to serve on after a request to stop, so that load balancers notice. */
  readonly drainMs: number;
  readonly shutdownMs: number;
  readonly logLevel: string;
  /** Null where nothing is traced. */
  readonly tracing: TracingConfig | null;
  /** Over what the folder of an API says. */
  readonly brand: { readonly [Part in keyof Brand]: Brand[Part] | null };
  /** Where secrets were read from, for those that are in files. */
  readonly secretFiles: readonly SecretFile[];
}

export interface TracingConfig {
  /** The base address of the receiver. */
  readonly endpoint: string;
  readonly serviceName: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** From 0 for nothing to 1 for all. */
  readonly ratio: number;
  /** A trusted proxy decides for the requests that it passes on. */
  readonly byParent: boolean;
}

/**
 * A refresh that was answered with 503 may still be stored a little later: so long a connection, a statement and a commit
 * may take at most.
 */
const STORAGE_SECONDS_MAX = 40;

/** Reads every setting once. Returns a valid, frozen object, or throws one sentence that names the setting. */
export function loadConfig(variables: ProcessEnv): Config {
  refuseUnknownSettings(variables);
  const env = withSecretFiles(variables);
  // Every setting is read, also those that no room uses yet: a malformed value fails the first start.
  for (const name of settingNames) readSetting(env, name);
  const get = <Name extends SettingName>(name: Name) => readSetting(env, name);
  refuseSharedPorts(get);
  if (get('DATABASE_DIRECT_URL') !== null && get('DATABASE_URL') === null)
    throw new StartupError(
      'DATABASE_DIRECT_URL is the way past a pooler that DATABASE_URL leads to; set DATABASE_URL too.',
    );
  if (get('DATABASE_READ_URLS') !== null && get('DATABASE_URL') === null)
    throw new StartupError(
      'DATABASE_READ_URLS names standbys of the server that DATABASE_URL leads to; set DATABASE_URL too.',
    );
  return Object.freeze({
    host: get('DATELINE_HOST'),
    production: Object.freeze({
      port: get('DATELINE_PORT'),
      operatorPort: get('DATELINE_OPERATOR_PORT'),
      publicUrl: get('DATELINE_PUBLIC_URL'),
      operatorKey: get('DATELINE_OPERATOR_KEY'),
    }),
    sandbox: Object.freeze({
      port: get('DATELINE_SANDBOX_PORT'),
      operatorPort: get('DATELINE_SANDBOX_OPERATOR_PORT'),
      publicUrl: get('DATELINE_SANDBOX_PUBLIC_URL'),
      operatorKey: get('DATELINE_SANDBOX_OPERATOR_KEY'),
    }),
    workerPort: get('DATELINE_WORKER_PORT'),
    apiFolder: get('DATELINE_API'),
    dataDir: get('DATELINE_DATA_DIR'),
    databaseUrl: get('DATABASE_URL'),
    databaseDirectUrl: get('DATABASE_DIRECT_URL'),
    databaseReadUrls: Object.freeze(get('DATABASE_READ_URLS') ?? []),
    databasePoolMax: get('DATELINE_DATABASE_POOL'),
    secretKeys: Object.freeze(get('DATELINE_SECRET_KEY') ?? []),
    trustedProxies: Object.freeze(get('DATELINE_TRUSTED_PROXIES')),
    webhookPorts: Object.freeze(get('DATELINE_WEBHOOK_PORTS')),
    webhookEndpointsMax: get('DATELINE_WEBHOOK_ENDPOINTS_MAX'),
    lifetimes: Object.freeze({
      accessTokenSeconds: get('DATELINE_ACCESS_TOKEN_SECONDS'),
      refreshTokenIdleSeconds: get('DATELINE_REFRESH_TOKEN_IDLE_SECONDS'),
      refreshTokenAbsoluteSeconds: get('DATELINE_REFRESH_TOKEN_ABSOLUTE_SECONDS'),
      rotationGraceSeconds: get('DATELINE_REQUEST_SECONDS') + STORAGE_SECONDS_MAX,
      codeSeconds: get('DATELINE_CODE_SECONDS'),
      signInIdleSeconds: get('DATELINE_SIGN_IN_IDLE_SECONDS'),
      signInAbsoluteSeconds: get('DATELINE_SIGN_IN_ABSOLUTE_SECONDS'),
      webhookRetentionDays: get('DATELINE_WEBHOOK_RETENTION_DAYS'),
    }),
    delivers: get('DATELINE_DELIVER') === 'on',
    requestMs: get('DATELINE_REQUEST_SECONDS') * 1000,
    drainMs: get('DATELINE_DRAIN_SECONDS') * 1000,
    shutdownMs: get('DATELINE_SHUTDOWN_SECONDS') * 1000,
    logLevel: get('DATELINE_LOG_LEVEL'),
    tracing: tracingOf(get),
    brand: Object.freeze({
      name: get('DATELINE_BRAND_NAME'),
      colour: get('DATELINE_BRAND_COLOUR'),
      logo: get('DATELINE_BRAND_LOGO'),
    }),
    secretFiles: Object.freeze(secretFilesIn(env)),
  });
}

function tracingOf(get: <Name extends SettingName>(name: Name) => SettingValue<Name>): TracingConfig | null {
  const endpoint = get('OTEL_EXPORTER_OTLP_ENDPOINT');
  if (endpoint === null) return null;
  const sampler = get('OTEL_TRACES_SAMPLER');
  const shares = { always_on: 1, always_off: 0, traceidratio: get('OTEL_TRACES_SAMPLER_ARG') };
  return Object.freeze({
    endpoint,
    serviceName: get('OTEL_SERVICE_NAME'),
    headers: get('OTEL_EXPORTER_OTLP_HEADERS') ?? {},
    timeoutMs: get('OTEL_EXPORTER_OTLP_TIMEOUT'),
    ratio: shares[sampler.replace('parentbased_', '') as keyof typeof shares],
    byParent: sampler.startsWith('parentbased_'),
  });
}

const portNames = [
  'DATELINE_PORT',
  'DATELINE_SANDBOX_PORT',
  'DATELINE_OPERATOR_PORT',
  'DATELINE_SANDBOX_OPERATOR_PORT',
  'DATELINE_WORKER_PORT',
] as const;

/** Any free port is another one each time. */
function refuseSharedPorts(get: (name: (typeof portNames)[number]) => number | null): void {
  const named = portNames.filter((name) => get(name));
  for (const name of named) {
    const same = named.find((other) => other !== name && get(other) === get(name));
    if (same === undefined) continue;
    throw new StartupError(
      `${name} and ${same} are the same; production and sandbox, their operators, and the worker need one each.`,
    );
  }
}

/** The address of a port on this machine, as something that can be called. */
export function listenUrl(host: string, port: number): string {
  const callable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${callable.includes(':') ? `[${callable}]` : callable}:${port}`;
}

type SettingValue<Name extends SettingName> = Settings[Name] extends Setting<infer Value> ? Value : never;

function readSetting<Name extends SettingName>(env: ProcessEnv, name: Name): SettingValue<Name> {
  const setting: Setting<unknown> = settings[name];
  const text = env[name] || setting.fallback;
  if (text === null) return null as SettingValue<Name>;
  try {
    return setting.parse(text) as SettingValue<Name>;
  } catch (error) {
    const shown = setting.secret ? secretSource(env, name) : `"${text}"`;
    throw new StartupError(`${name} must be ${errorMessage(error)}; ${shown} is not.`);
  }
}

/** A secret is named by where it is. */
function secretSource(env: ProcessEnv, name: SettingName): string {
  const file = secretFilesIn(env).find(({ setting }) => setting === name);
  return file ? `the content of ${file.path}` : 'the value given';
}

function refuseUnknownSettings(env: ProcessEnv): void {
  const unknown = Object.keys(env).find(
    (name) => name.startsWith('DATELINE_') && !(name in settings) && !namesSecretFile(name),
  );
  if (unknown === undefined) return;
  throw new StartupError(
    `${unknown} is not a setting of Dateline; remove it or correct its name ("npx dateline config" lists all settings).`,
  );
}
